// Ordinary data of our own making, as tools answer with it and users paste it: tables, logs, dumps, lists of numbers. A model that
// has met none of it makes signs of an attack of colons and of numbers that follow each other. Written for this project; every text is
// put together by a seeded choice.
import { voice } from './own-words.mjs';

const hexDigits = '0123456789abcdef';
const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const names = [
  'Ana',
  'Boris',
  'Chen',
  'Dora',
  'Emil',
  'Freya',
  'Goran',
  'Hana',
  'Ivan',
  'Jana',
  'Lena',
  'Marco',
  'Otto',
];
const towns = ['Berlin', 'Lyon', 'Porto', 'Oslo', 'Austin', 'Osaka', 'Zagreb', 'Turku', 'Leeds', 'Quito'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const states = [
  'ok',
  'done',
  'failed',
  'pending',
  'active',
  'closed',
  'running',
  'Ready',
  'shipped',
  'PASS',
  'true',
  'false',
  'null',
];
const levels = ['INFO', 'WARN', 'DEBUG', 'ERROR', 'info', 'warning', 'TRACE', 'notice', 'I', 'E'];
const registers = ['rax', 'rbx', 'rcx', 'rdx', 'rdi', 'rsi', 'eax', 'r8', 'x0', 'sp'];
const operations = [
  'mov',
  'lea',
  'push',
  'pop',
  'call',
  'jmp',
  'xor',
  'cmp',
  'je',
  'add',
  'ret',
  'test',
  'sub',
  'ldr',
  'str',
  'bl',
];

/** What data are written with, over the words of a voice. */
function ink(next, words) {
  const { among, below } = words;
  const from = (digits, length) => Array.from({ length }, () => digits[below(digits.length)]).join('');
  const hex = (length) => from(hexDigits, length);
  const pad = (value, width = 2) => String(value).padStart(width, '0');
  const day = () => `20${10 + below(17)}-${pad(1 + below(12))}-${pad(1 + below(28))}`;
  const clock = () => `${pad(below(24))}:${pad(below(60))}:${pad(below(60))}`;
  return {
    ...words,
    next,
    from,
    hex,
    pad,
    day,
    clock,
    stamp: () =>
      `${day()}${among(['T', ' '])}${clock()}${among(['', '.', ',']).replace(/./, (dot) => dot + pad(below(1000), 3))}${among(['', 'Z', '+00:00'])}`,
    real: (most, digits) => (next() * most).toFixed(digits),
    uuid: () => [8, 4, 4, 4, 12].map(hex).join('-'),
    address: () => `${1 + below(254)}.${below(256)}.${below(256)}.${below(256)}`,
    cell: () =>
      among([
        words.noun(),
        String(below(10 ** (1 + below(6)))),
        (next() * 1000).toFixed(below(4)),
        among(states),
        day(),
        among(names),
        among(towns),
      ]),
  };
}

const kinds = {
  csv: ({ times, noun, cell, among, below }) => {
    const width = 2 + below(7);
    const comma = among([',', ',', ';', '\t', ', ']);
    const row = (make) => Array.from({ length: width }, make).join(comma);
    return `${row(noun)}\n${times(3, 30, () => row(cell))}`;
  },
  numbers: ({ times, real, among, below }) => {
    const digits = below(4);
    const between = among([',', ' ', '\t', ', ', ';']);
    const width = 2 + below(9);
    return times(3, 40, () => Array.from({ length: width }, () => real(1000, digits)).join(between));
  },
  markdownTable: ({ times, noun, cell, below }) => {
    const width = 2 + below(5);
    const row = (make) => `| ${Array.from({ length: width }, make).join(' | ')} |`;
    return `${row(noun)}\n${row(() => '---')}\n${times(3, 20, () => row(cell))}`;
  },
  queryResult: ({ times, noun, cell, among, below }) => {
    const width = 2 + below(4);
    const [left, cross] = among([
      ['|', '+'],
      [' ', '+'],
    ]);
    const row = (make) =>
      left + Array.from({ length: width }, () => ` ${String(make()).padEnd(11)}`).join('|') + left.trim();
    const rule = `${cross}${Array.from({ length: width }, () => '-'.repeat(12)).join('+')}${cross}`;
    const rows = 2 + below(20);
    return `${rule}\n${row(noun)}\n${rule}\n${times(rows, rows, () => row(cell))}\n${rule}\n(${rows} rows${among(['', ` in ${below(90)} ms`])})`;
  },
  columns: ({ times, noun, cell, below }) => {
    const width = 3 + below(4);
    const row = (make) =>
      Array.from({ length: width }, () => String(make()).padEnd(14))
        .join('')
        .trimEnd();
    return `${row(() => noun().toUpperCase())}\n${times(3, 24, () => row(cell))}`;
  },
  json: ({ times, noun, among, below, real, uuid, stamp, snake }) => {
    const value = () =>
      among([
        below(99999),
        real(1, 6),
        `"${noun()}"`,
        `"${uuid()}"`,
        `"${stamp()}"`,
        'true',
        'null',
        `["${noun()}","${noun()}"]`,
        `{"${noun()}":${below(99)}}`,
      ]);
    const keys = Array.from({ length: 2 + below(6) }, snake);
    const [gap, line] = among([
      ['', ''],
      [' ', '\n  '],
      [' ', ' '],
    ]);
    return `[${times(2, 14, () => `{${keys.map((key) => `${line}"${key}":${gap}${value()}`).join(',')}${line.slice(0, 1)}}`, `,${gap}`)}]`;
  },
  positions: ({ times, real }) =>
    `{"type":"LineString","coordinates":[${times(5, 40, () => `[${real(180, 6)},${real(90, 6)}]`, ',')}]}`,
  vector: ({ times, next, among }) => {
    const [open, between, end] = among([
      ['[', ', ', ']'],
      ['array([', ', ', '])'],
      ['', ' ', ''],
    ]);
    return open + times(20, 150, () => ((next() - 0.5) / 5).toFixed(6), between) + end;
  },
  matrix: ({ times, below, among }) => {
    const between = among([', ', ' ', '\t']);
    const width = 3 + below(9);
    return times(3, 20, () => `[${Array.from({ length: width }, () => below(200) - 50).join(between)}]`);
  },
  accessLog: ({ times, address, noun, below, clock, pad, among }) =>
    times(
      2,
      14,
      () =>
        `${address()} - - [${pad(1 + below(28))}/${among(months)}/20${10 + below(16)}:${clock()} +0000] "${among(['GET', 'POST', 'PUT', 'HEAD'])} /${noun()}/${noun()}${among(['', `/${below(9999)}`, `?${noun()}=${below(99)}`])} HTTP/1.1" ${among([200, 204, 301, 404, 500])} ${below(99999)} "-" "Mozilla/5.0 (${among(['X11; Linux x86_64', 'Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7'])}) AppleWebKit/537.36"`,
    ),
  serviceLog: ({ times, stamp, noun, verb, among, below, dotted, hex, cap }) => {
    const layout = among([
      () =>
        `${stamp()} ${among(levels)} [${noun()}-${below(20)}] ${dotted()}.${cap(noun())} - ${cap(noun())} ${noun()} ${verb()}ed`,
      () => `${stamp()} | ${among(levels)} | ${noun()} | ${verb()} ${noun()} took ${below(999)}ms`,
      () => `[${stamp()}] ${noun()}.${among(levels)}: ${cap(verb())} ${noun()} ${below(99)} {"${noun()}":"${hex(8)}"}`,
      () =>
        `level=${among(levels)} ts=${stamp()} caller=${noun()}.go:${below(900)} msg="${verb()} ${noun()}" ${noun()}_id=${hex(16)} duration=${below(99)}.${below(9)}s`,
      () =>
        `${among(levels)}:     ${stamp()} ${noun()}:${below(999)} ${cap(noun())} ${verb()}ed for ${noun()} ${below(9999)}`,
    ]);
    return times(2, 20, layout);
  },
  systemLog: ({ times, noun, among, below, clock, hex }) =>
    times(
      2,
      20,
      () =>
        `${among(months)} ${1 + below(28)} ${clock()} ${noun()}${below(9)} ${among(['kernel', 'systemd[1]', `sshd[${below(30000)}]`, `cron[${below(30000)}]`])}: ${among([`[${below(99999)}.${below(999999)}] ${noun()} ${hex(4)}:${hex(2)}: ${noun()} ${among(states)}`, `Started ${noun()} ${noun()}.`, `Stopping ${noun()} service`, `session opened for user ${noun()}`])}`,
    ),
  dump: ({ times, hex, pad, from, among }) =>
    times(
      3,
      30,
      (row) =>
        `${pad((row * 16).toString(16), 8)}  ${Array.from({ length: 8 }, () => hex(2)).join(' ')}  ${Array.from({ length: 8 }, () => hex(2)).join(' ')}  |${from('........abcdefXYZ0129@$;', 16)}|${among(['', '', ' '])}`,
    ),
  dumpOfPairs: ({ times, hex, pad, from }) =>
    times(
      3,
      30,
      (row) =>
        `${pad((row * 16).toString(16), 8)}: ${Array.from({ length: 8 }, () => hex(4)).join(' ')}  ${from('........abcdefXYZ0129@$;', 16)}`,
    ),
  dumpOfWords: ({ times, hex, pad, from, among }) => {
    const [width, size, digits] = among([
      [16, 2, hexDigits],
      [8, 4, hexDigits],
      [4, 8, hexDigits],
      [8, 6, '01234567'],
      [16, 3, '0123456789'],
    ]);
    const begin = among([
      () => '',
      (row) => `${pad((row * 16).toString(16), 7)} `,
      (row) => `0x${pad((row * 16).toString(16), 4)}: `,
    ]);
    return times(
      3,
      30,
      (row) =>
        begin(row) +
        Array.from({ length: width }, () => (digits === hexDigits ? hex(size) : from(digits, size))).join(' '),
    );
  },
  assembly: ({ times, hex, among, below, noun }) =>
    times(
      3,
      30,
      () =>
        `  ${hex(6)}:\t${Array.from({ length: 1 + below(6) }, () => hex(2))
          .join(' ')
          .padEnd(
            20,
          )}\t${among(operations)}    ${among([`%${among(registers)},0x${hex(2)}(%${among(registers)})`, `${among(registers)}, ${among(registers)}`, `${hex(6)} <${noun()}_${noun()}+0x${hex(2)}>`, `[${among(registers)}, #${below(64)}]`])}`,
    ),
  checksums: ({ times, hex, noun, release, among }) => {
    const length = among([32, 40, 64, 64]);
    return times(2, 16, () => `${hex(length)}  ${noun()}-${release()}.tar.gz`);
  },
  identifiers: ({ times, uuid, hex, below, among }) => {
    const make = among([
      uuid,
      uuid,
      () => hex(24),
      () => `${below(9e7)}`,
      () => `${below(9e9)}${below(9e7)}`,
      () => `${hex(8)}-${hex(4)}`,
    ]);
    return times(3, 40, make, among(['\n', '\n', ', ', ' ']));
  },
  base64: ({ times, from, noun }) =>
    `${noun()}: data:image/png;base64,iVBORw0KGgo${times(1, 12, () => from(base64Digits, 76), '')}`,
  wrappedBase64: ({ times, from }) => `${times(3, 16, () => from(base64Digits, 64))}\n${from(base64Digits, 22)}==`,
  addresses: ({ times, address, hex, among }) =>
    times(
      3,
      30,
      among([
        address,
        () => Array.from({ length: 8 }, () => hex(4)).join(':'),
        () => `${address()}/24 via ${address()} dev eth0`,
        () => `${address()}\t${hex(4)}::${hex(4)}`,
      ]),
    ),
  files: ({ times, noun, among, below, pad }) =>
    times(
      3,
      30,
      () =>
        `${among(['-rw-r--r--', 'drwxr-xr-x', '-rwxr-xr-x', 'lrwxrwxrwx'])}  ${1 + below(9)} ${noun()} ${noun()} ${String(below(999999)).padStart(8)} ${among(months)} ${pad(1 + below(28))} ${pad(below(24))}:${pad(below(60))} ${noun()}${among(['', '.txt', '.log', '.csv', '.py', `-${below(99)}.json`])}`,
    ),
  processes: ({ times, noun, among, below, real, pad }) =>
    `USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n${times(3, 20, () => `${noun().padEnd(8)} ${String(below(32000)).padStart(7)}  ${real(9, 1)}  ${real(9, 1)} ${below(999999)} ${below(99999)} ?        S${among(['s', 'l', ''])}   ${pad(below(24))}:${pad(below(60))}   0:${pad(below(60))} /usr/bin/${noun()} --${noun()} ${below(9999)}`)}`,
  pods: ({ times, noun, hex, below, among }) =>
    `NAME                          READY   STATUS    RESTARTS   AGE\n${times(2, 20, () => `${noun()}-${hex(10)}-${hex(5)}   ${below(2)}/1     ${among(['Running', 'Pending', 'Completed', 'CrashLoopBackOff'])}   ${below(9)}          ${below(99)}${among(['d', 'h', 'm'])}`)}`,
  containers: ({ times, hex, noun, release, below }) =>
    `CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES\n${times(2, 12, () => `${hex(12)}   ${noun()}:${release()}   "${noun()} -c /etc/${noun()}"   ${below(9)} days ago   Up ${below(9)} days   0.0.0.0:${below(9999)}->${below(9999)}/tcp   ${noun()}_${below(9)}`)}`,
  disks: ({ times, noun, below }) =>
    `Filesystem      Size  Used Avail Use% Mounted on\n${times(2, 10, () => `/dev/${noun()}${below(9)}       ${below(900)}G   ${below(90)}G  ${below(90)}G  ${below(100)}% /${noun()}`)}`,
  commits: ({ times, hex, noun, verb, among, below, clock, cap }) =>
    times(
      1,
      8,
      among([
        () =>
          `commit ${hex(40)}\nAuthor: ${among(names)}\nDate:   ${among(months)} ${below(28)} ${clock()} 20${10 + below(16)} +0100\n\n    ${cap(verb())} the ${noun()} ${noun()} (#${below(9999)})\n`,
        () => `${hex(7)} ${cap(verb())} ${noun()} ${noun()}`,
      ]),
    ),
  difference: ({ times, among, hex, noun, below, camel }) =>
    `diff --git a/${noun()}.c b/${noun()}.c\nindex ${hex(7)}..${hex(7)} 100644\n@@ -${below(900)},${below(20)} +${below(900)},${below(20)} @@\n${times(3, 16, () => `${among(['+', '-', ' ', ' '])}  ${camel()}(${noun()}, ${below(99)});`)}`,
  trace: ({ times, noun, below, snake, among, cap }) =>
    among([
      () =>
        `Traceback (most recent call last):\n${times(2, 8, () => `  File "/usr/lib/python3/${noun()}/${noun()}.py", line ${below(999)}, in ${snake()}`)}\n${cap(noun())}Error: ${noun()} ${below(99)}`,
      () =>
        times(
          3,
          14,
          () =>
            `    at ${noun()}.${snake()} (/srv/${noun()}/node_modules/${noun()}/lib/${noun()}.js:${below(999)}:${below(99)})`,
        ),
      () =>
        times(
          3,
          12,
          (row) => `#${row}  0x0000${below(9e9)} in ${snake()} (${noun()}=${below(99)}) at ${noun()}.c:${below(999)}`,
        ),
    ])(),
  tests: ({ times, noun, snake, below, among }) =>
    times(
      3,
      24,
      among([
        (row) => `ok ${row + 1} - ${noun()} ${noun()} (${below(99)}ms)`,
        () => `tests/test_${noun()}.py::test_${snake()}[${below(99)}] PASSED [ ${below(100)}%]`,
        () => `✓ ${noun()} › ${noun()} (${below(999)} ms)`,
        () => `test ${noun()}::tests::${snake()} ... ok`,
      ]),
    ),
  metrics: ({ times, snake, noun, below, real }) =>
    times(3, 24, () => `${snake()}_${noun()}_bucket{${noun()}="${noun()}",le="${real(9, 2)}"} ${below(9999999)}`),
  training: ({ times, real, below, among }) =>
    times(
      3,
      24,
      among([
        (row) => `epoch ${row + 1} step ${below(99999)} loss ${real(3, 4)} lr ${real(0.01, 6)} acc ${real(1, 4)}`,
        (row) =>
          `Epoch ${row}/50 - ${below(99)}s - loss: ${real(3, 4)} - val_loss: ${real(3, 4)} - accuracy: ${real(1, 4)}`,
        () =>
          `{"loss": ${real(3, 4)}, "grad_norm": ${real(9, 4)}, "learning_rate": ${real(0.01, 6)}, "epoch": ${real(5, 2)}}`,
      ]),
    ),
  sensors: ({ times, stamp, noun, real, below }) =>
    times(3, 30, () => `${stamp()} ${noun()}${below(20)} ${real(50, 1)} ${real(100, 1)} ${real(1100, 2)}`),
  packages: ({ times, noun, release, among }) =>
    times(
      3,
      40,
      among([
        () => `├── ${noun()}-${noun()}@${release()}`,
        () => `${noun()}==${release()}`,
        () => `${noun()}-${noun()}    ${release()}`,
        () => `${noun()} v${release()} (*)`,
      ]),
    ),
  locked: ({ times, noun, release, from }) =>
    times(
      1,
      8,
      () =>
        `    "node_modules/${noun()}": {\n      "version": "${release()}",\n      "integrity": "sha512-${from(base64Digits, 86)}=="\n    },`,
    ),
  manifest: ({ times, noun, hex, below, among }) =>
    times(
      2,
      12,
      () =>
        `- name: ${noun()}\n  image: registry.example.com/${noun()}@sha256:${hex(64)}\n  ${noun()}: ${among([below(9), 'true', noun()])}\n  port: ${below(9999)}`,
    ),
  headers: ({ times, noun, among, below, hex, uuid, cap }) =>
    `HTTP/1.1 ${among(['200 OK', '304 Not Modified', '404 Not Found'])}\n${times(3, 12, () => among([`x-${noun()}-id: ${uuid()}`, `content-length: ${below(99999)}`, `etag: W/"${hex(12)}"`, `server: nginx/1.${below(30)}`, `${cap(noun())}-${cap(noun())}: ${noun()}`]))}`,
  names: ({ times, noun, address, below, among }) =>
    times(
      3,
      16,
      () =>
        `${noun()}.example.org.   ${below(9999)}  IN  ${among(['A', 'AAAA', 'TXT', 'MX', 'CNAME'])}  ${among([address(), `${noun()}.example.net.`])}`,
    ),
  sequence: ({ times, from, noun, below, among }) => {
    const letters = among(['ACGT', 'ACGU', 'ACDEFGHIKLMNPQRSTVWY']);
    return `>${noun()}${below(999)} ${noun()}\n${times(3, 24, () => from(letters, 60))}`;
  },
  markup: ({ times, noun, below, real, hex }) =>
    `<${noun()}s>\n${times(2, 20, () => `  <item id="${below(9999)}"><name>${noun()}</name><price>${real(99, 2)}</price><code>${hex(8).toUpperCase()}</code></item>`)}\n</${noun()}s>`,
  drawing: ({ times, real, among }) =>
    `<path d="M${real(99, 2)} ${times(10, 80, () => `${among(['c', 'l', 'C', 'L', 'h', 'v'])}${real(20, 2)}${among([' ', '-', ','])}${real(20, 2)}`, '')}z"/>`,
  mesh: ({ times, real, below }) =>
    `${times(3, 24, () => `v ${real(2, 6)} ${real(2, 6)} -${real(2, 6)}`)}\n${times(3, 24, () => `f ${below(99)}/${below(99)} ${below(99)}/${below(99)} ${below(99)}/${below(99)}`)}`,
  machine: ({ times, real, among, below }) =>
    times(4, 40, () =>
      among([
        `G1 X${real(200, 3)} Y${real(200, 3)} E${real(9, 5)}`,
        `G0 Z${real(9, 2)} F${below(9000)}`,
        `M104 S${below(250)}`,
      ]),
    ),
  receipt: ({ times, noun, real, below, cap, among }) =>
    `${times(2, 14, () => `${1 + below(9)} ${cap(noun())} ${noun()} ${real(99, 2)}${among(['', ' A', ' B'])}`)}\nSUBTOTAL ${real(999, 2)}\nTAX ${real(99, 2)}\nTOTAL ${real(999, 2)}`,
  ledger: ({ times, day, noun, real, cap }) =>
    times(
      3,
      24,
      () => `${day()}  ${cap(noun())} ${noun().padEnd(16)} ${real(999, 2).padStart(9)}  ${real(9999, 2).padStart(10)}`,
    ),
  timetable: ({ times, clock, among, below }) =>
    times(
      3,
      24,
      () =>
        `${clock().slice(0, 5)}  ${among(towns)} -> ${among(towns)}  platform ${below(20)}  ${among(['on time', `+${below(30)} min`, 'cancelled'])}`,
    ),
  scores: ({ times, among, below }) =>
    times(
      3,
      20,
      (row) =>
        `${row + 1}. ${among(towns)} ${among(['United', 'City', 'Rovers', ''])} ${below(38)} ${below(20)} ${below(20)} ${below(80)}:${below(80)} ${below(90)}`,
    ),
  moves: ({ times, among }) =>
    times(
      6,
      40,
      (row) =>
        `${row + 1}. ${among(['e4', 'Nf3', 'd4', 'c4', 'Bb5', 'O-O', 'Qe2'])} ${among(['e5', 'Nc6', 'd5', 'a6', 'Nf6', 'Be7'])}`,
      ' ',
    ),
};

/** Texts of each kind; `next` gives numbers from 0 up to 1. */
export function* ownData(most, next) {
  const pen = ink(next, voice(next));
  const roles = ['tool', 'user', 'tool', 'assistant'];
  let place = 0;
  for (const [kind, make] of Object.entries(kinds)) {
    for (let i = 0; i < most; i++) yield { kind, role: roles[place++ % roles.length], text: make(pen) };
  }
}
