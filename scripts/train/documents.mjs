// Prints ordinary texts for training as labelled JSON lines: pieces of the manuals and of the tales in Debian packages, in
// two or three dozen languages, of manual pages (as nroff shows them) and of code, and what programs say on their buttons and in
// their dialogues. Chat is short, and models take the words of a language of which they have seen attacks only for signs of one.
//   apt-get download PACKAGE …; dpkg -x PACKAGE.deb FOLDER/PACKAGE; node scripts/train/documents.mjs FOLDER > documents.jsonl
// With --held-out it prints those of all other packages in the folder, whole, and their labels, to measure false alarms on: `merlon eval --data`.
// No text of them is kept in this repository; the model's datasheet names each package and its licence.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { gramHash } from '../../dist/engine/learned/features.js';
import { eachToken } from '../../dist/engine/learned/tokens.js';
import { lexiconOf } from '../../dist/train/lexicon.js';
import { seededRandom } from '../../dist/train/random.js';

const pages = /\/man\/man\d\/.*\.gz$/;
/** Packages whose manual pages are read, by the beginning of their names, and their licences. */
const pagesOf = [
  ['manpages', 'Linux-man-pages-copyleft'],
  ['git-man', 'GPL-2.0-only'],
  ['podman', 'Apache-2.0'],
  ['buildah', 'Apache-2.0'],
  ['skopeo', 'Apache-2.0'],
  ['nmap', 'NPSL'],
  ['gh', 'MIT'],
  ['restic', 'BSD-2-Clause'],
  ['kubernetes-client', 'Apache-2.0'],
  ['lvm2', 'GPL-2.0-only'],
  ['borgbackup', 'BSD-3-Clause'],
  ['postgresql-client', 'PostgreSQL'],
  ['qemu-utils', 'GPL-2.0-only'],
  ['iptables', 'GPL-2.0-or-later'],
];
/** Packages of code: beginning of the name, source, licence, pieces, files. */
const codeOf = [
  ['golang-', 'golang', 'BSD-3-Clause', 480, /\/src\/.*\.go$/],
  ['libruby', 'ruby', 'Ruby', 320, /\.rb$/],
  ['rust-src', 'rust', 'MIT OR Apache-2.0', 400, /\.rs$/],
  ['libboost', 'boost', 'BSL-1.0', 320, /\.hpp$/],
  ['wordpress', 'wordpress', 'GPL-2.0-or-later', 400, /\.php$/],
  ['lintian', 'lintian', 'GPL-2.0-or-later', 320, /\.pm$/],
  ['debhelper', 'debhelper', 'GPL-2.0-or-later', 128, /\.pm$|\/bin\/dh_/],
  ['ansible', 'ansible', 'GPL-3.0-or-later', 240, /\.(?:py|ya?ml)$/],
  ['bash-completion', 'bash', 'GPL-2.0-or-later', 128, /\/completions\//],
];

/** Of each catalogue of a language; of English ones more (`englishFactor`). */
const labelsHere = 20;
/** Packages of translations of what programs say, and their licences. */
const labelsOf = [
  ['coreutils', 'GPL-3.0-or-later'],
  ['evolution-common', 'LGPL-2.1-or-later'],
  ['gajim', 'GPL-3.0-only'],
  ['gimp-data', 'GPL-3.0-or-later'],
  ['gnome-control-center-data', 'GPL-2.0-or-later'],
  ['gnucash-common', 'GPL-2.0-or-later'],
  ['gnupg-l10n', 'GPL-3.0-or-later'],
  ['libgtk-3-common', 'LGPL-2.0-or-later'],
  ['nautilus-data', 'GPL-3.0-or-later'],
  ['network-manager-gnome', 'GPL-2.0-or-later'],
  ['phpmyadmin', 'GPL-2.0-or-later'],
  ['pidgin-data', 'GPL-2.0-or-later'],
  ['python3-django', 'BSD-3-Clause'],
  ['wordpress-l10n', 'GPL-2.0-or-later'],
];

/**
 * Packages by the beginning of their names: the source that they are of, and how many pieces each gives. `langAtEnd`: the rest of
 * the name is a language; `files`: which ones are read; `speeches`, `labels`: their catalogues of translations are.
 */
const kinds = [
  ...labelsOf.map(([name, license]) => ({
    name,
    source: 'interface labels',
    license,
    pieces: labelsHere,
    labels: true,
  })),
  { name: 'libreoffice-help-', source: 'manual libreoffice', license: 'MPL-2.0', pieces: 80, langAtEnd: true },
  { name: 'apache2-doc', source: 'manual apache', license: 'Apache-2.0', pieces: 320 },
  { name: 'postgresql-doc', source: 'manual postgresql', license: 'PostgreSQL', pieces: 200 },
  { name: 'python3', source: 'manual python', license: 'PSF-2.0', pieces: 200 },
  { name: 'sqlite3-doc', source: 'manual sqlite', license: 'blessing', pieces: 150 },
  { name: 'jargon-text', source: 'essays jargon', license: 'public-domain', pieces: 300, files: /jargon\.txt\.gz$/ },
  {
    ...{ name: 'crawl-common', source: 'tales crawl', license: 'GPL-2.0-or-later', pieces: 200 },
    files: /\/dat\/(?:descript|database)\/.*\.txt$/,
  },
  ...pagesOf.map(([name, license]) => ({
    name,
    source: 'manual pages',
    license,
    pieces: 150,
    files: pages,
    hasShort: true,
  })),
  ...codeOf.map(([name, source, license, pieces, files]) => {
    return { name, source: `package ${source}`, license, pieces, files, hasShort: true };
  }),
  { name: 'wesnoth-', source: 'tales wesnoth', license: 'GPL-2.0-or-later', pieces: 8, speeches: true },
];
const long = { least: 1_200, most: 7_500 };
/** A line or two, as tools print them; every other piece of manual pages and of code is. */
const short = { least: 12, most: 300 };
const wholeUnits = 40_000;
const wholePieces = 250;
const isText = /\.(?:html|txt|md|rst)(?:\.gz)?$|\/fortunes\/[\w-]+$/;
const label = { least: 3, most: 400 };
/** Pieces of files of labels for each catalogue. */
const labelFiles = 3;
const labelWriters = [
  (text, at) => `  "label.${at}": ${JSON.stringify(text)},\n`,
  (text, at) => `msgid "label_${at}"\nmsgstr ${JSON.stringify(text)}\n\n`,
  (text, at) => `label${at}=${text.replaceAll('\n', '\\n')}\n`,
  (text) => `${text}\n`,
];
const labelLanguages = /^(?:ar|cs|de|en|es|fa|fr|hi|id|it|ja|ko|nl|pl|pt|ru|sv|th|tr|uk|vi|zh)(?:_[A-Z]{2})?$/;
/** Of so many labels one need not have a word of those that attacks are made of. */
const anyLabel = 4;
/** Of attacks most are in English. */
const englishFactor = 6;
const roles = ['user', 'tool'];
const marks = {
  ...{ acute: '\u0301', grave: '\u0300', circ: '\u0302', uml: '\u0308', tilde: '\u0303', cedil: '\u0327' },
  ...{ ring: '\u030a', caron: '\u030c' },
};
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', szlig: 'ß', para: '' };

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { 'held-out': { type: 'boolean', default: false } },
});
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write('usage: node scripts/train/documents.mjs [--held-out] FOLDER\n');
  process.exit(2);
}
const lexicon = lexiconOf(parse(readFileSync(new URL('../../rules/lists/classes.yaml', import.meta.url), 'utf8')));
let printed = 0;
for (const name of readdirSync(folder).sort()) {
  const kind = kinds.find((each) => name.startsWith(each.name));
  if (options['held-out'] === (kind !== undefined)) continue;
  for (const sample of kind ? samplesOf(name, kind) : wholeSamples(name)) {
    process.stdout.write(`${JSON.stringify(sample)}\n`);
    printed++;
  }
}
process.stderr.write(`${printed} pieces\n`);
if (printed === 0) process.exitCode = 1;

/** Pages as they are, cut where they are longer than what a model is often shown at once. */
function* wholeSamples(name) {
  let number = 0;
  for (const path of filesIn(join(folder, name), isText)) {
    const text = textOf(path);
    if (text.includes('\ufffd') || text.includes('\0')) continue;
    for (let from = 0; from < text.length; from += wholeUnits) {
      const piece = text.slice(from, from + wholeUnits);
      if (piece.length < long.least) continue;
      const source = `held out ${name}`;
      yield { id: `${name}-${number}`, source, role: 'user', label: 'benign', policies: [], lang: 'und', text: piece };
      if (++number === wholePieces) return;
    }
  }
  for (const { lang, text } of labelSamples(name, { pieces: labelsHere }, randomOf(name))) {
    const source = `held out labels ${name}`;
    yield { id: `${name}-${number++}`, source, role: 'user', label: 'benign', policies: [], lang, text };
  }
}

function* samplesOf(name, kind) {
  const next = randomOf(name);
  const pieces = kind.labels ? labelSamples : kind.speeches ? taleSamples : manualSamples;
  let number = 0;
  for (const { lang, text } of pieces(name, kind, next)) {
    const { source, license } = kind;
    const role = roles[number % roles.length];
    yield { id: `${name}-${number++}`, source, license, role, label: 'benign', policies: [], lang, text };
  }
}

function randomOf(name) {
  return seededRandom(createHash('sha256').update(name).digest().readUInt32LE(0));
}

function* manualSamples(name, { name: program, pieces, langAtEnd, files: wanted = /\.html$/, hasShort }, next) {
  const lang = langAtEnd ? name.slice(program.length) : 'und';
  const files = filesIn(join(folder, name), wanted).map((path) => ({ path, order: next() }));
  const perFile = Math.ceil(pieces / files.length);
  let left = pieces;
  for (const { path } of files.sort((a, b) => a.order - b.order)) {
    const text = textOf(path);
    for (let piece = 0; piece < perFile; piece++) {
      const part = pieceOf(text, hasShort && left % 2 === 0 ? short : long, next);
      if (part === undefined) continue;
      yield { lang, text: part };
      if (--left === 0) return;
    }
  }
}

/** Of each program and language: labels, most of them with words that the model has classes for. */
function* labelSamples(name, { pieces }, next) {
  const seen = new Set();
  for (const path of filesIn(join(folder, name), /\.mo$/)) {
    const lang = languageOf(path);
    if (!labelLanguages.test(lang)) continue;
    const labels = translationsIn(readFileSync(path))
      .map((text) => text.replace(/(?<!\p{L})[_&](?=\p{L})/gu, '').trim())
      .filter((text) => text.length >= label.least && text.length <= label.most && /\p{L}/u.test(text));
    for (let file = 0; file < labelFiles; file++) {
      const text = fileOf(labels, next);
      if (text.length > short.most) yield { lang, text };
    }
    let left = lang.startsWith('en') ? pieces * englishFactor : pieces;
    const byChance = labels.map((text) => ({ text, order: next() })).sort((a, b) => a.order - b.order);
    for (const { text } of byChance) {
      if (left === 0) break;
      if (seen.has(text)) continue;
      if (left % anyLabel !== 0 && !hasTellingWord(text)) continue;
      seen.add(text);
      left--;
      yield { lang, text };
    }
  }
}

/** Labels that follow each other, as files of translations hold them. */
function fileOf(labels, next) {
  const write = labelWriters[Math.floor(next() * labelWriters.length)];
  const units = short.most + Math.floor(next() * long.most);
  let text = '';
  for (let at = Math.floor(next() * labels.length); at < labels.length && text.length < units; at++) {
    text += write(labels[at], at);
  }
  return text.trim();
}

/** True of a text with a word of the model's classes. */
function hasTellingWord(text) {
  const tokens = [];
  eachToken(text, (hash) => tokens.push(hash));
  return tokens.some((_, at) => [1, 2, 3].some((count) => lexicon.classes.has(gramHash(tokens.slice(at, at + count)))));
}

/** Of a catalogue, by its path (`…/de/LC_MESSAGES/x.mo`, `…/x-de.mo`); empty where it is a variant, or unknown. */
function languageOf(path) {
  const [, lang] = /\/([^/]+)\/LC_MESSAGES\//.exec(path) ?? /[-/]([a-zA-Z_]+)\.mo$/.exec(path) ?? [];
  return /^[a-z]{2}(?:_[A-Z]{2})?$/.test(lang) ? lang : '';
}

/** Of each campaign of the game and language: speeches, as many alone as in pieces of several. */
function* taleSamples(name, { pieces }, next) {
  for (const path of filesIn(join(folder, name), /\.mo$/)) {
    const lang = languageOf(path);
    if (lang === '') continue;
    const speeches = translationsIn(readFileSync(path)).filter((text) => text.length > 60 && text.length < 1_000);
    if (speeches.length < pieces * 4) continue;
    const count = lang.startsWith('en') ? pieces * englishFactor : pieces;
    for (let piece = 0; piece < count; piece++) {
      const from = Math.floor(next() * speeches.length);
      const units = piece % 2 === 0 ? 0 : long.least + Math.floor(next() * (long.most - long.least));
      let text = speeches[from];
      for (let i = from + 1; i < speeches.length && text.length < units; i++) text += `\n\n${speeches[i]}`;
      yield { lang, text };
    }
  }
}

/** Translations in a compiled catalogue of GNU gettext ("The Format of GNU MO Files" in its manual). */
function translationsIn(bytes) {
  const count = bytes.readUInt32LE(8);
  const table = bytes.readUInt32LE(16);
  return Array.from({ length: count }, (_, entry) => {
    const length = bytes.readUInt32LE(table + entry * 8);
    const from = bytes.readUInt32LE(table + entry * 8 + 4);
    return bytes.toString('utf8', from, from + length).split('\0')[0];
  }).slice(1);
}

function filesIn(below, wanted) {
  const entries = readdirSync(below, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return filesIn(path, wanted);
    return entry.isFile() && wanted.test(path) ? [path] : [];
  });
}

/** Consecutive lines from a place by chance. */
function pieceOf(text, { least, most }, next) {
  const units = least + Math.floor(next() * (most - least));
  const from = Math.floor(next() * Math.max(1, text.length - units));
  const begin = text.lastIndexOf('\n', from) + 1;
  const piece = text.slice(begin, begin + units).trim();
  return piece.length < least || piece.includes('\ufffd') ? undefined : piece;
}

/** What a reader sees of a file: its text, unpacked and without mark-up. */
function textOf(path) {
  if (pages.test(path)) return asShown(path);
  const bytes = path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path);
  const text = bytes.toString('utf8');
  return path.endsWith('.html') ? withoutTags(text) : text;
}

function asShown(page) {
  const nroff = ['-man', '-Tutf8', '-c', '-rLL=90n'];
  const shown = execFileSync('nroff', nroff, {
    input: gunzipSync(readFileSync(page)),
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return shown.replace(/.[\b]/g, '');
}

/** For the pages of these manuals, which are plain; no parser for pages of others. */
function withoutTags(html) {
  return html
    .replace(/<(script|style|head|header|footer|nav|aside)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<\/?(?:p|div|br|li|tr|h[1-6]|pre|dt|dd|table|td|th|ul|ol)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w)(acute|grave|circ|uml|tilde|cedil|ring|caron);/g, (_, letter, mark) => letter + marks[mark])
    .replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole)
    .normalize()
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}
