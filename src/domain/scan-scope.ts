import type { Message } from './message.js';
import { roleClassOf } from './role.js';

/**
 * Which messages of a request a profile has scanned. Chat clients send the whole conversation with each of its turns: where
 * all of it is scanned, a message that was flagged once has every later turn flagged as well.
 */
export const scanScopes = ['all', 'latest_turn'] as const;
export type ScanScope = (typeof scanScopes)[number];

/**
 * Index of the first message that is scanned: all behind it are, too, and nothing before it is read. The latest turn is what the
 * assistant said last, where the conversation ends with messages of the assistant; otherwise it is all that came after its
 * last message: what the user says, and what tools, system and developer add to it. Where the assistant has not spoken it
 * is everything. Messages of the assistant without any text end no conversation: they only hold the place of an answer, and
 * nothing would be scanned. The assistant is every role that rules take for it (`roleClassOf`).
 */
export function firstScanned(scope: ScanScope, messages: readonly Message[]): number {
  if (scope === 'all') return 0;
  let end = messages.length;
  while (end > 0 && isAnswer(messages[end - 1]) && messages[end - 1].content.trim() === '') end--;
  let first = end;
  while (first > 0 && isAnswer(messages[first - 1])) first--;
  if (first < end) return first;
  while (first > 0 && !isAnswer(messages[first - 1])) first--;
  return first;
}

/**
 * The same messages without the text of those before `first`, for whoever is to scan the others: `firstScanned` and the
 * indexes of messages are what they were.
 */
export function withoutUnscanned(messages: readonly Message[], first: number): readonly Message[] {
  if (first === 0) return messages;
  return messages.map((message, index) => (index < first ? { role: message.role, content: '' } : message));
}

function isAnswer({ role }: Message): boolean {
  return roleClassOf(role) === 'assistant';
}
