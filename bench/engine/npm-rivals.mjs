import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Packages from npm that search many phrases, each from `bench/rivals`. They compare case-sensitively, so a text is
 * put in lower case first, as their users must. The guardrail keyword check counts distinct spellings between word
 * borders, so its count is its own; it compiles a regex on every call, and is
 * run on short texts only.
 * @typedef {{ package: string, name: string, claims: import('./reference.mjs').Claim,
 *   isAhoCorasick: boolean, corpora?: readonly string[], load: (from: NodeJS.Require) => Promise<import('./literals.mjs').Engine['prepare']> }} Rival
 * @type {readonly Rival[]}
 */
const rivals = [
  {
    package: 'ahocorasick',
    name: 'ahocorasick',
    claims: 'every',
    isAhoCorasick: true,
    load: async (from) => {
      const AhoCorasick = from('ahocorasick');
      return (needles) => {
        const machine = new AhoCorasick(needles);
        return (text) => machine.search(text.toLowerCase()).reduce((sum, [, found]) => sum + found.length, 0);
      };
    },
  },
  ...['@monyone/aho-corasick', '@monyone/aho-corasick/fast'].map(
    (entry) =>
      /** @type {Rival} */ ({
        package: '@monyone/aho-corasick',
        name: entry,
        claims: 'every',
        isAhoCorasick: true,
        load: async (from) => {
          const { AhoCorasick } = from(entry);
          return (needles) => {
            const machine = new AhoCorasick(needles);
            return (text) => machine.matchInText(text.toLowerCase()).length;
          };
        },
      }),
  ),
  ...['modern-ahocorasick', 'modern-ahocorasick/fast'].map(
    (entry) =>
      /** @type {Rival} */ ({
        package: 'modern-ahocorasick',
        name: entry,
        claims: 'every',
        isAhoCorasick: true,
        load: async (from) => {
          const { default: AhoCorasick } = await import(pathToFileURL(from.resolve(entry)).href).then(unwrap);
          return (needles) => {
            const machine = new AhoCorasick(needles);
            return (text) => machine.search(text.toLowerCase()).length;
          };
        },
      }),
  ),
  {
    package: '@openai/guardrails',
    name: '@openai/guardrails keywords',
    claims: 'own',
    isAhoCorasick: false,
    corpora: ['benign-500'],
    load: async (from) => {
      const { keywordsCheck } = from('@openai/guardrails/dist/checks/keywords.js');
      return (needles) => {
        const config = { keywords: [...needles] };
        return (text) => keywordsCheck({}, text, config).info.matchedKeywords.length;
      };
    },
  },
];

/** Names of the packages that are Aho-Corasick machines: the best of them is "the best npm package". */
export const ahoCorasickNames = rivals.filter(({ isAhoCorasick }) => isAhoCorasick).map(({ name }) => name);

/**
 * @param {URL} folder `bench/rivals/`
 * @returns {Promise<{ engines: import('./literals.mjs').Engine[], absent: string[] }>} what is installed, and what not
 */
export async function loadNpmRivals(folder) {
  const from = createRequire(new URL('package.json', folder));
  const engines = [];
  const absent = [];
  for (const { name, claims, corpora, load } of rivals) {
    try {
      engines.push({ name, claims, ...(corpora && { corpora }), prepare: await load(from) });
    } catch (error) {
      absent.push(`${name}: not installed (${error.code ?? error.message})`);
    }
  }
  return { engines, absent };
}

/** A CommonJS module that is imported has its default inside its default. */
function unwrap(module) {
  return module.default?.default ? module.default : module;
}
