import { workerData } from 'node:worker_threads';
import { limits } from '../domain/limits.js';
import { compileCustomRules, customRuleFiles, openCustomRules } from '../rules/custom-rules.js';
import { describeRules } from '../rules/describe.js';
import { openProgramCache } from '../rules/program-cache.js';
import type { CompileAnswer, CompilerData, CompileTask } from './protocol.js';

/** The thread that compiles rules of organizations: whatever they cost, no scan waits behind them. */
const { shippedIds, rulesFolder, cache: place } = workerData as CompilerData;
const known = new Set(shippedIds);
const cache = place && openProgramCache(place.folder, place.compilerId, limits.overlayFilesMax);

export default function runTask(task: CompileTask): CompileAnswer {
  if (task.kind === 'describe') return { entries: describeRules(rulesFolder) };
  const { kind, rules } = task;
  if (kind === 'open') {
    const program = openCustomRules(rules, known, cache);
    return program ? { program: program.memory } : {};
  }
  const { report, program } = compileCustomRules(rules, known);
  if (!program) return { report };
  cache?.save(customRuleFiles(rules), program);
  return { report, program: program.memory };
}
