// Ordinary code for training: pieces of the files of packages that package-lock.json pins, so that every clone of the
// project finds the same ones in its node_modules. No text of them is kept in this repository; the model's datasheet
// names each package and its licence. The packages of one half are never learned from: false alarms are measured on those.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../dist/train/random.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const licences = new Set(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0']);
/** Kinds of files by extension; the fence that an answer puts around such code. */
const kinds = {
  ...{ js: 'js', mjs: 'js', cjs: 'js', ts: 'ts', mts: 'ts', cts: 'ts', json: 'json', css: 'css', html: 'html' },
  ...{ c: 'c', cc: 'cpp', cpp: 'cpp', h: 'cpp', hpp: 'cpp', py: 'python', sh: 'bash', ps1: 'powershell', bat: 'bat' },
  ...{ yml: 'yaml', yaml: 'yaml', md: 'markdown', svg: 'xml', xml: 'xml', cmake: 'cmake', gypi: 'python' },
};
const piecesOfKind = 24;
const piecesOfPackage = 80;
const fileBytesMax = 2_000_000;
/** Answers are often a line or two; every other piece is. */
const pieceUnits = [
  { least: 300, most: 4_000 },
  { least: 40, most: 300 },
];
const answers = ['Here is the code you asked for:', 'This should do it:', 'The file looks like this:', 'Try this:'];

/** True for packages that are only measured on. */
function isHeldOut(name) {
  return createHash('sha256').update(name).digest()[0] % 2 === 1;
}

/** Packages that may be learned from or measured on: those of a plain licence that every platform installs. */
function ordinaryPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).flatMap(([path, { license, optional, os, cpu, hasInstallScript = false }]) => {
    const name = path.split('node_modules/').pop();
    if (path === '' || !licences.has(license) || optional || os || cpu) return [];
    return [{ name, license, folder: join(root, path), isBuilt: hasInstallScript }];
  });
}

/** Labelled messages, as the training reads them: of the packages that it learns from, or of the others. */
export function* ordinaryCode({ heldOut = false } = {}) {
  for (const each of ordinaryPackages()) {
    if (isHeldOut(each.name) !== heldOut) continue;
    for (const [place, { kind, text }] of piecesOf(each).entries()) {
      const fenced = `${answers[place % answers.length]}\n\n\`\`\`${kind}\n${text}\n\`\`\`\n`;
      const [role, content] = [
        ['assistant', text],
        ['user', text],
        ['tool', text],
        ['assistant', fenced],
      ][Math.floor(place / pieceUnits.length) % 4];
      const id = `${each.name}-${place}`;
      const source = `package ${each.name}`;
      yield { id, source, license: each.license, role, label: 'benign', policies: [], lang: 'und', text: content };
    }
  }
}

function piecesOf({ name, folder, isBuilt }) {
  const next = seededRandom(createHash('sha256').update(name).digest().readUInt32LE(0));
  const files = filesIn(folder, isBuilt).map((path) => ({ path, order: next() }));
  const counts = new Map();
  const seen = new Set();
  const pieces = [];
  for (const { path } of files.sort((a, b) => a.order - b.order)) {
    const kind = kinds[path.split('.').pop()];
    const count = counts.get(kind) ?? 0;
    if (count >= piecesOfKind) continue;
    const text = pieceOf(join(folder, path), pieceUnits[pieces.length % pieceUnits.length], next);
    if (text === undefined || seen.has(text)) continue;
    counts.set(kind, count + 1);
    seen.add(text);
    pieces.push({ kind, text });
    if (pieces.length === piecesOfPackage) break;
  }
  return pieces;
}

/** Paths within the package, sorted; without other packages, and without what was made when it was installed. */
function filesIn(folder, isBuilt, below = '') {
  const entries = readdirSync(join(folder, below), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) {
      if (entry.name === 'node_modules' || (isBuilt && entry.name === 'build')) return [];
      return filesIn(folder, isBuilt, path);
    }
    return entry.isFile() && Object.hasOwn(kinds, entry.name.split('.').pop()) ? [path] : [];
  });
}

/** Whole lines of a file, from a place by chance; of a file of endless lines, the middle of one. */
function pieceOf(path, { least, most }, next) {
  if (statSync(path).size > fileBytesMax) return undefined;
  const whole = readFileSync(path, 'utf8');
  const units = least + Math.floor(next() ** 1.5 * (most - least));
  const from = Math.floor(next() * Math.max(1, whole.length - units));
  const start = whole.lastIndexOf('\n', from) + 1;
  const begin = from - start > units ? from : start;
  const end = whole.lastIndexOf('\n', begin + units);
  const text = whole.slice(begin, end - begin > units / 2 ? end : begin + units).trim();
  return text.length < least / 2 || text.includes('\0') ? undefined : text;
}
