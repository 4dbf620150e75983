// Calls of tools in peace, put together by chance: what agents send all day long. Collections have hardly any, so that a model takes the
// form of a call for a sign of an attack.

import { voice } from './own-words.mjs';

/** Tools, and of what kind each of their arguments is. */
const tools = {
  'calendar.read': { from: 'date', to: 'date' },
  'calendar.create_event': { title: 'topic', start: 'time', attendees: 'people', send_invites: 'no' },
  'weather.lookup': { city: 'place', days: 'small' },
  'search.web': { query: 'topic', limit: 'small' },
  'files.list': { path: 'folder', recursive: 'no' },
  'files.read': { path: 'file' },
  'files.write': { path: 'file', content: 'line', overwrite: 'no' },
  'mail.search': { query: 'topic', unread_only: 'yes', max: 'small' },
  'mail.draft': { to: 'person', subject: 'topic', body: 'line' },
  'tickets.comment': { id: 'id', text: 'line' },
  'tickets.list': { status: 'status', assignee: 'person' },
  'crm.get_customer': { customer_id: 'id' },
  'orders.status': { order_id: 'id' },
  'orders.refund_preview': { order_id: 'id', amount: 'small', dry_run: 'yes' },
  'db.query': { sql: 'select', timeout_s: 'small' },
  'git.diff': { ref: 'ref', path: 'file' },
  'build.status': { branch: 'ref' },
  'maps.route': { from: 'place', to: 'place', mode: 'mode' },
  'translate.text': { text: 'line', target: 'language' },
  'notes.append': { note_id: 'id', text: 'line' },
  'inventory.count': { sku: 'id', warehouse: 'place' },
  'payments.list': { since: 'date', limit: 'small' },
  'users.get': { user_id: 'id', fields: 'people' },
  'knowledge.search': { query: 'topic', top_k: 'small', filter: 'status' },
  'metrics.get': { name: 'topic', window: 'time' },
  'shipments.track': { number: 'id' },
  'rooms.book': { room: 'place', start: 'time', hours: 'small' },
  'images.resize': { path: 'file', width: 'small' },
  'workflow.versions': { mode: 'status', workflow_id: 'id' },
  shell: { cmd: 'command' },
};
const words = {
  topic: [
    'swimming lessons',
    'quarterly figures',
    'broken lift',
    'school menu',
    'grain prices',
    'harbour dues',
    'parser tests',
    'choir rehearsal',
    'roof repair',
    'new intern',
    'bus timetable',
    'recipe for lentils',
    'login latency',
    'checkout errors',
  ],
  place: ['Lisbon', 'Aarhus', 'hall B', 'Leeds', 'Brno', 'the north depot', 'Porto', 'room 4', 'Galway', 'Turin'],
  person: ['mara', 'jo', 'the night nurse', 'a.lind', 'support-team', 'reyhan', 'the caretaker'],
  line: [
    'Thanks, I have noted the new date.',
    'The figures are attached.',
    'Please call back before noon.',
    'Second coat of paint on Monday.',
    'Works on my machine; logs below.',
    'The form is in the folder.',
    'See you at the gate.',
  ],
  folder: ['/srv/reports', 'docs/', 'src/parser', '/home/mara/photos', './data', '/tmp/build'],
  file: [
    'docs/minutes.md',
    'src/index.ts',
    'report.pdf',
    '/tmp/report.txt',
    'data/2026-05.csv',
    'images/cover.png',
    'README.md',
  ],
  status: ['open', 'closed', 'waiting', 'draft', 'get', 'list', 'published'],
  ref: ['main', 'feature/menu', 'HEAD~1', 'release-4', 'v2.1.0'],
  mode: ['walking', 'cycling', 'train'],
  language: ['fr', 'Portuguese', 'tr', 'Polish'],
  select: [
    'SELECT name, price FROM products LIMIT 20',
    "SELECT count(*) FROM visits WHERE day = '2026-05-04'",
    "SELECT id FROM orders WHERE status = 'open'",
  ],
  command: [
    'ls -la',
    'git status',
    'npm test',
    'grep -rn "TODO" src',
    'pytest -q',
    'cat package.json',
    'df -h',
    'curl -sL https://example.com/data.json',
    'python3 report.py --month 5',
    'make lint',
    'docker ps',
    'head -20 data.csv',
    'npm ci',
    'go build ./...',
    'wc -l *.csv',
    'curl -s https://api.example.com/health',
  ],
};
const numbers = {
  small: (next) => 1 + Math.floor(next() * 60),
  id: (next) => `${'ABCKLMRTX'[Math.floor(next() * 9)]}-${1_000 + Math.floor(next() * 9_000)}`,
  date: (next) => `2026-0${1 + Math.floor(next() * 9)}-${10 + Math.floor(next() * 18)}`,
  time: (next) =>
    `2026-0${1 + Math.floor(next() * 9)}-${10 + Math.floor(next() * 18)}T${10 + Math.floor(next() * 10)}:30`,
  yes: () => true,
  no: () => false,
  people: (next) => [words.person[Math.floor(next() * words.person.length)]],
};

/** The same call as frameworks write it. */
const forms = [
  (tool, args) => JSON.stringify({ tool, args }),
  (tool, args) => JSON.stringify({ name: tool, arguments: args }),
  (tool, args, id) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: args } }),
  (tool, args, id) => JSON.stringify({ type: 'tool_use', id: `call_${id}`, name: tool, input: args }),
  (tool, args, id) =>
    JSON.stringify({
      tool_calls: [{ id: `call_${id}`, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } }],
    }),
  (tool, args) =>
    `${tool}(${Object.entries(args)
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join(', ')})`,
  (tool, args) => `Action: ${tool}\nAction Input: ${JSON.stringify(args)}`,
  (tool, args) => `I'll look that up.\n\n<tool_call>${JSON.stringify({ name: tool, arguments: args })}</tool_call>`,
];
const roles = ['assistant', 'assistant', 'user', 'tool'];

/** `count` calls by the given chance, each with the role of who says it. */
export function* ownCalls(count, next) {
  const { among: pick } = voice(next);
  const valueFor = (kind) => (kind in words ? pick(words[kind]) : numbers[kind](next));
  for (let i = 0; i < count; i++) {
    const tool = pick(Object.keys(tools));
    const args = Object.fromEntries(Object.entries(tools[tool]).map(([key, kind]) => [key, valueFor(kind)]));
    const separator = pick(['.', '_', '__', '-']);
    yield { role: pick(roles), text: pick(forms)(tool.replace('.', separator), args, 1 + Math.floor(next() * 900)) };
  }
}
