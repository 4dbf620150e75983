import type { Static, TSchema } from 'typebox';
import { describe, expectTypeOf, it } from 'vitest';
import type {
  checkedRulesResponse,
  customRulesRequest,
  customRulesResponse,
} from '../../src/api/custom-rules-schemas.js';
import type { explainResponse } from '../../src/api/explain-schemas.js';
import type {
  applicationsResponse,
  auditResponse,
  issuedTokenResponse,
  sessionResponse,
  tokensResponse,
  usersResponse,
} from '../../src/api/identity-schemas.js';
import type { overviewResponse } from '../../src/api/overview-schemas.js';
import type { previewResponse } from '../../src/api/preview-operation.js';
import type { profileHistoryResponse, profilesResponse } from '../../src/api/profile-schemas.js';
import type { ruleRecord } from '../../src/api/rule-schemas.js';
import type { resultsResponse } from '../../src/api/schemas.js';
import type * as page from '../../src/dashboard/wire.js';

/**
 * The page is built apart from the service and writes down what it reads: here the compiler compares that with the
 * schemas. Codes of policies are plain text in some of them, so they are compared as text.
 */

/** A type with every policy code as plain text and nothing read-only. */
type Plain<T> = T extends page.PolicyCode
  ? string
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { -readonly [Key in keyof T]: Plain<T[Key]> }
      : T;
type Sent<Schema extends TSchema> = Plain<Static<Schema>>;
type Read<T> = Plain<T>;

describe('what the page reads is what the service sends', () => {
  it('of people, tokens and acts', () => {
    expectTypeOf<Sent<typeof sessionResponse>>().toExtend<Read<page.Session>>();
    expectTypeOf<Sent<typeof usersResponse>>().toExtend<Read<page.Page<page.User>>>();
    expectTypeOf<Sent<typeof tokensResponse>>().toExtend<Read<page.Page<page.Token>>>();
    expectTypeOf<Sent<typeof issuedTokenResponse>>().toExtend<Read<page.NewToken>>();
    expectTypeOf<Sent<typeof applicationsResponse>>().toExtend<Read<page.Page<page.Application>>>();
    expectTypeOf<Sent<typeof auditResponse>>().toExtend<Read<page.Page<page.AuditEntry>>>();
  });

  it('of scans', () => {
    expectTypeOf<Sent<typeof resultsResponse>>().toExtend<Read<page.Page<page.ScanRecord>>>();
    expectTypeOf<Sent<typeof explainResponse>>().toExtend<Read<page.Explanation>>();
    expectTypeOf<Sent<typeof overviewResponse>>().toExtend<Read<page.Overview>>();
  });

  it('of profiles and rules', () => {
    expectTypeOf<Sent<typeof profilesResponse>>().toExtend<Read<page.List<page.Profile>>>();
    expectTypeOf<Sent<typeof previewResponse>>().toExtend<Read<page.Preview>>();
    expectTypeOf<Sent<typeof ruleRecord>>().toExtend<Read<page.Rule>>();
    expectTypeOf<Sent<typeof profileHistoryResponse>>().toExtend<Read<page.List<page.ProfileVersion>>>();
    expectTypeOf<Sent<typeof customRulesRequest>>().toExtend<Partial<Read<page.RuleSet>>>();
    expectTypeOf<Sent<typeof customRulesResponse>['version']>().toExtend<page.StoredRules['version']>();
    expectTypeOf<Sent<typeof checkedRulesResponse>['diagnostics']>().toExtend<Read<page.Diagnostic[]>>();
  });
});
