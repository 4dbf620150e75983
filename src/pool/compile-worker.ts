import { workerData } from 'node:worker_threads';
import { limits } from '../domain/limits.js';
import { compileCustomRules, customRuleFiles, openCustomRules } from '../rules/custom-rules.js';
import { loadCompiledRules } from '../rules/load.js';
import { openProgramCache } from '../rules/program-cache.js';
import { RulesError } from '../rules/rules-error.js';
import { workBehindServing } from './low-priority.js';
import { createOpenPrograms } from './open-programs.js';
import type { CompileAnswer, CompilerData, CompileTask, LoadedRules } from './protocol.js';

/** The thread that compiles rules: whatever they cost, no scan waits behind them. */
const { rulesFolder, cache: place, shippedCache } = workerData as CompilerData;
workBehindServing();
const programs = createOpenPrograms();
const cache = place && openProgramCache(place.folder, place.compilerId, limits.overlayFilesMax);

export default function runTask(task: CompileTask): CompileAnswer {
  if (task.kind === 'load') return { loaded: loadShipped() };
  const { kind, rules } = task;
  const known = new Set(task.shippedIds);
  if (kind === 'open') {
    const program = openCustomRules(rules, known, cache);
    return program ? { program: program.memory } : {};
  }
  const { report, program } = compileCustomRules(rules, known);
  if (!program) return { report };
  cache?.save(customRuleFiles(rules), program);
  return { report, program: program.memory };
}

function loadShipped(): LoadedRules {
  try {
    const shipped = shippedCache && openProgramCache(shippedCache.folder, shippedCache.compilerId);
    const { program, profiles } = loadCompiledRules(rulesFolder, shipped);
    programs.open(program.memory);
    return { program: program.memory, profiles };
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    const { message, diagnostics } = error;
    return { refused: { message, diagnostics } };
  }
}
