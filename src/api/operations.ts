import {
  checkCustomRulesOperation,
  readCustomRulesOperation,
  removeCustomRulesOperation,
  saveCustomRulesOperation,
} from './custom-rules-operations.js';
import { explainOperation } from './explain-operation.js';
import { openapiDocument } from './openapi.js';
import type { Operation } from './operation.js';
import { overviewOperation } from './overview-operation.js';
import { policiesOperation } from './policies-operation.js';
import { resultsOperation } from './results-operation.js';
import { scanOperation } from './scan-operation.js';
import { liveOperation, metricsOperation, openapiOperation, readyOperation } from './service-operations.js';

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
