import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { inexactId, losesDigits } from '../domain/exact-number.js';
import { limits } from '../domain/limits.js';
import type { Message } from '../domain/message.js';
import { type PolicyCode, policyCodes } from '../domain/policy.js';

const Text = Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]);
const Role = Type.String({ minLength: 1, maxLength: limits.roleLengthMax });
const Name = Type.Union([Type.String(), Type.Null()]);
const Span = Type.Object({
  start: Type.Integer({ minimum: 0 }),
  end: Type.Integer({ minimum: 0 }),
  type: Type.String({ minLength: 1 }),
});

const lineSchema = Compile(
  Type.Object({
    id: Type.Union([Type.String({ minLength: 1 }), Type.Number()]),
    /** Or its parts, so that no file needs to hold a whole secret. */
    text: Text,
    label: Type.Enum(['attack', 'benign']),
    policies: Type.Optional(Type.Array(Type.Enum(policyCodes))),
    role: Type.Optional(Role),
    source: Type.Optional(Name),
    license: Type.Optional(Name),
    attack_type: Type.Optional(Name),
    lang: Type.Optional(Name),
    notes: Type.Optional(Type.Unknown()),
    spans: Type.Optional(Type.Array(Span)),
  }),
);

/** A part of a sample's text that a person labelled; UTF-16 offsets, half-open. */
export type LabelledSpan = Static<typeof Span>;

/** A labelled message. */
export interface Sample {
  readonly id: string;
  readonly text: string;
  readonly role: string;
  readonly isAttack: boolean;
  /** What an attack must be found as; empty for benign samples. */
  readonly policies: readonly PolicyCode[];
  /**
   * Where it comes from; attacks that nothing but their position makes attacks (`no trigger` in `notes`) are a source of
   * their own, because no reading of their words can tell them from orders that are meant.
   */
  readonly source: string;
  readonly attackType: string;
  readonly license: string;
  readonly lang: string;
  readonly spans?: readonly LabelledSpan[];
}

/** Suffix of sources whose attacks carry no sign of one. */
const noTrigger = ' (no trigger)';

/** True for sources that macro averages leave out. */
export function isWithoutTrigger(source: string): boolean {
  return source.endsWith(noTrigger);
}

const messageSchema = Compile(Type.Object({ text: Text, role: Type.Optional(Role) }));

/** Reads the message of one JSON line, labelled or not: the message, or what is wrong with the line in one sentence. */
export function readMessage(line: string): Message | string {
  const value = parse(line);
  if (messageSchema.Check(value)) return { role: value.role ?? 'user', content: whole(value.text) };
  return value === undefined ? notJson : firstProblem(value, ['text'], messageSchema.Errors(value));
}

/** Reads one JSON line of labelled data: the sample, or what is wrong with the line in one sentence. */
export function readSample(line: string): Sample | string {
  const value = parse(line);
  if (value === undefined) return notJson;
  if (!lineSchema.Check(value)) return firstProblem(value, ['id', 'text', 'label'], lineSchema.Errors(value));
  const { id, text, label, policies = [], role = 'user', source, license, attack_type, lang, notes, spans } = value;
  if (losesDigits(id)) return inexactId;
  const content = whole(text);
  const isAttack = label === 'attack';
  if (isAttack && policies.length === 0) return '"policies" must name at least one for an attack';
  if (!isAttack && policies.length > 0) return '"policies" must be empty for a benign sample';
  const wrong = spans?.find(({ start, end }) => start >= end || end > content.length);
  if (wrong) return `the span ${wrong.start}–${wrong.end} does not lie in the text`;
  return {
    id: String(id),
    text: content,
    role,
    isAttack,
    policies,
    source: `${source ?? '-'}${typeof notes === 'string' && notes.includes('no trigger') ? noTrigger : ''}`,
    attackType: attack_type ?? '-',
    license: license ?? '-',
    lang: lang ?? '-',
    ...(spans ? { spans } : {}),
  };
}

const notJson = 'not valid JSON';

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function whole(text: string | readonly string[]): string {
  return typeof text === 'string' ? text : text.join('');
}

function firstProblem(
  value: unknown,
  required: readonly string[],
  [first]: readonly { readonly instancePath: string; readonly message: string }[],
): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object';
  const missing = required.find((key) => !(key in value));
  if (missing !== undefined) return `"${missing}" is missing`;
  const path = first.instancePath.slice(1).replaceAll('/', '.');
  if (path === 'label') return '"label" must be "attack" or "benign"';
  if (path.startsWith('policies.')) return `"${path}" must be one of ${policyCodes.join(', ')}`;
  return path === '' ? first.message : `"${path}" ${first.message}`;
}
