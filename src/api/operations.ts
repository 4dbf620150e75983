import {
  changeApplicationOperation,
  createApplicationOperation,
  listApplicationsOperation,
} from './application-operations.js';
import {
  readCustomRulesHistoryOperation,
  readCustomRulesRevisionOperation,
  rollBackCustomRulesOperation,
} from './custom-rules-history-operations.js';
import {
  checkCustomRulesOperation,
  readCustomRulesOperation,
  removeCustomRulesOperation,
  saveCustomRulesOperation,
} from './custom-rules-operations.js';
import { explainOperation } from './explain-operation.js';
import { openapiDocument } from './openapi.js';
import type { Operation } from './operation.js';
import {
  changeOrganizationOperation,
  listAuditOperation,
  readOrganizationOperation,
} from './organization-operations.js';
import { overviewOperation } from './overview-operation.js';
import { policiesOperation } from './policies-operation.js';
import { previewOperation } from './preview-operation.js';
import {
  listProfilesOperation,
  readProfileHistoryOperation,
  readProfileOperation,
  removeProfileOperation,
  rollBackProfileOperation,
  saveProfileOperation,
} from './profile-operations.js';
import { reloadOperation } from './reload-operation.js';
import { resultsOperation } from './results-operation.js';
import { listRulesOperation, readRuleOperation } from './rule-operations.js';
import { scanOperation } from './scan-operation.js';
import { liveOperation, metricsOperation, openapiOperation, readyOperation } from './service-operations.js';
import {
  changePasswordOperation,
  endOtherSessionsOperation,
  readSessionOperation,
  signInOperation,
  signOutOperation,
} from './session-operations.js';
import { createTokenOperation, listTokensOperation, revokeTokenOperation } from './token-operations.js';
import {
  changeUserOperation,
  createUserOperation,
  listUsersOperation,
  removeUserOperation,
} from './user-operations.js';

/** The table of operations: everything that REST offers. `version` is the program's, for the OpenAPI document. */
export function operationTable(version: string): readonly Operation[] {
  let document: string | undefined;
  const table: readonly Operation[] = [
    scanOperation,
    explainOperation,
    resultsOperation,
    overviewOperation,
    policiesOperation,
    readCustomRulesOperation,
    saveCustomRulesOperation,
    removeCustomRulesOperation,
    checkCustomRulesOperation,
    readCustomRulesHistoryOperation,
    readCustomRulesRevisionOperation,
    rollBackCustomRulesOperation,
    listRulesOperation,
    readRuleOperation,
    reloadOperation,
    listProfilesOperation,
    readProfileOperation,
    saveProfileOperation,
    removeProfileOperation,
    readProfileHistoryOperation,
    rollBackProfileOperation,
    previewOperation,
    signInOperation,
    readSessionOperation,
    signOutOperation,
    endOtherSessionsOperation,
    changePasswordOperation,
    listTokensOperation,
    createTokenOperation,
    revokeTokenOperation,
    listUsersOperation,
    createUserOperation,
    changeUserOperation,
    removeUserOperation,
    listApplicationsOperation,
    createApplicationOperation,
    changeApplicationOperation,
    readOrganizationOperation,
    changeOrganizationOperation,
    listAuditOperation,
    openapiOperation(() => {
      document ??= JSON.stringify(openapiDocument(table, version));
      return document;
    }),
    liveOperation,
    readyOperation,
    metricsOperation,
  ];
  return table;
}
