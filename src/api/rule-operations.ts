import type { Static } from 'typebox';
import { GuardError, invalidInput, wrongCursor } from '../domain/errors.js';
import type { Principal } from '../domain/identity.js';
import type { RuleEntry } from '../domain/rule-entry.js';
import { ownEntry } from '../guard/rule-book.js';
import { withStore } from './administered.js';
import { type ApiContext, jsonReply, type SecuredOperation } from './operation.js';
import { createQueryReader } from './query.js';
import { ruleRecord, ruleRecordExample, rulesQuery, rulesResponse } from './rule-schemas.js';

/** What is looked for: the shipped rules and the organization's own, as people read about them. */

const path = '/api/v1/rules';
const readQuery = createQueryReader(rulesQuery);
const perPageDefault = 20;
const record = {
  status: 200,
  contentType: 'application/json',
  schema: ruleRecord,
  headers: [],
  example: ruleRecordExample,
} as const;

/** `GET /api/v1/rules`. */
export const listRulesOperation: SecuredOperation = {
  id: 'listRules',
  method: 'GET',
  path,
  scope: 'policies:read',
  summary: 'List rules',
  description:
    'The shipped rules and the organization’s own: why, what they miss, examples, references, and how often they matched.',
  query: rulesQuery,
  responses: [
    {
      ...record,
      schema: rulesResponse,
      example: { data: [ruleRecordExample], meta: { total: 1, next_cursor: null } },
      description: 'One page of rules.',
    },
  ],
  errors: ['invalid_input', 'store_unavailable'],

  async answer(context, _call, principal, input) {
    const { query, policy, cursor, per_page: perPage = perPageDefault } = readQuery(input.query);
    const words = query?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
    const all = await allRules(context, principal);
    const found = all.filter((rule) => (policy === undefined || rule.policy === policy) && holds(rule, words));
    // Counted in the whole list, so that a rule that has left the filters does not end the paging.
    const place = cursor === undefined ? -1 : all.findIndex(({ id }) => id === cursor);
    if (cursor !== undefined && place < 0) {
      throw invalidInput([{ pointer: '?cursor', message: wrongCursor }]);
    }
    const behind = new Set(all.slice(place + 1));
    const rest = found.filter((rule) => behind.has(rule));
    const page = rest.slice(0, perPage);
    const next = rest.length > page.length ? (page.at(-1)?.id ?? null) : null;
    return jsonReply({ data: page, meta: { total: found.length, next_cursor: next } });
  },
};

/** `GET /api/v1/rules/{id}`. */
export const readRuleOperation: SecuredOperation = {
  id: 'readRule',
  method: 'GET',
  path: `${path}/{id}`,
  parameters: { id: 'Id of the rule.' },
  scope: 'policies:read',
  summary: 'Read about a rule',
  description: 'One rule, shipped or of the organization.',
  responses: [{ ...record, description: 'The rule.' }],
  errors: ['invalid_input', 'unknown_id', 'store_unavailable'],

  async answer(context, _call, principal, { parameters: { id } }) {
    const rule = (await allRules(context, principal)).find((each) => each.id === id);
    if (!rule) throw new GuardError('unknown_id', 'The rule is not known.');
    return jsonReply(rule);
  },
};

function allRules(
  { ruleBook, ruleHits, customRules }: ApiContext,
  principal: Principal,
): Promise<readonly Static<typeof ruleRecord>[]> {
  return withStore(() => {
    const hits = ruleHits(principal);
    const own = customRules.find(principal.organizationId)?.rules.map(ownEntry) ?? [];
    return [
      ...ruleBook.shipped().map((entry) => ruleBody(entry, 'shipped', hits)),
      ...own.map((entry) => ruleBody(entry, 'organization', hits)),
    ];
  });
}

function ruleBody(
  entry: RuleEntry,
  origin: 'shipped' | 'organization',
  hits: ReadonlyMap<string, number>,
): Static<typeof ruleRecord> {
  const { id, references, roles, views, examples, ...rest } = entry;
  const { match, clean, near } = examples;
  return {
    id,
    origin,
    ...rest,
    references: [...references],
    roles: [...roles],
    views: [...views],
    examples: { match: [...match], clean: [...clean], near: [...near] },
    hits_30d: hits.get(id) ?? 0,
  };
}

function holds({ id, label, title, why }: Static<typeof ruleRecord>, words: readonly string[]): boolean {
  const text = `${id} ${label} ${title} ${why}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
