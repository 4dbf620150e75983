// How many found attacks stay found when they are disguised: `node scripts/encodings.mjs FILE… [--max N] [--lang en] [--misses]`.
// FILE is labelled JSONL ({ text, label, policies, lang, … }). Attacks in one language (`!en`: in all others) of up to 2,000 units that the default profile flags, and
// not for what it reads in one of their views (those are disguised already), are disguised in every way below and scanned
// again. Needs a build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const { loadRules } = await import(join(root, 'dist', 'load-rules.js'));
const { createScanner } = await import(join(root, 'dist', 'engine', 'scanner.js'));
const { scanMessages } = await import(join(root, 'dist', 'engine', 'judge', 'judge.js'));

const bytes = (text) => [...Buffer.from(text)];
const hex = (byte) => byte.toString(16).padStart(2, '0');
const letters = (text, map) => text.replace(/[A-Za-z]/g, map);
const shifted = (text, upper, lower) =>
  letters(text, (letter) => {
    const isUpper = letter < 'a';
    const place = letter.charCodeAt(0) - (isUpper ? 65 : 97);
    return String.fromCodePoint((isUpper ? upper : lower) + place);
  });
const substituted = (text, substitute) =>
  letters(text, (letter) => {
    const first = letter < 'a' ? 65 : 97;
    return String.fromCharCode(first + substitute(letter.charCodeAt(0) - first));
  });
const rot13 = (text) => substituted(text, (letter) => (letter + 13) % 26);
const mapped = (text, from, to) => {
  const targets = [...to];
  return text.replace(/./gsu, (letter) => {
    const place = from.indexOf(letter.toLowerCase());
    return place < 0 ? letter : targets[place];
  });
};
const apart = (text, separator, gap) =>
  text
    .split(/\s+/)
    .map((word) => [...word].join(separator))
    .join(gap);
const morseLetters =
  'a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--.. ' +
  '0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----. ..-.-.- ,--..-- ?..--.. :---... /-..-. --....- (-.--. )-.--.- ' +
  '=-...- +.-.-. @.--.-. !-.-.-- _..--.- \'.----. ".-..-.';
const morse = new Map(morseLetters.split(' ').map((sign) => [sign[0], sign.slice(1)]));
/** Each word of as many letters at the least, changed. */
const words = (text, least, change) =>
  text.replace(/[A-Za-z]+/g, (word) => (word.length < least ? word : change(word)));
const torn = (text, sign) => words(text, 4, (word) => word.slice(0, 2) + sign + word.slice(2));
const base64 = (text) => Buffer.from(text).toString('base64');

const backwards = (text) => [...text].reverse().join('');
const word = (text, encode) => text.split(/\s+/).map(encode).join(' ');
const rot47 = (text) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(33 + ((sign.charCodeAt(0) + 14) % 94)));
const utf7 = (text) =>
  text.replace(
    /[A-Za-z]+/g,
    (letter) => `+${Buffer.from(letter, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`,
  );
const places = (text) =>
  [...text.toLowerCase()].filter((letter) => letter >= 'a' && letter <= 'z').map((letter) => letter.charCodeAt(0) - 96);
/** Groups of bytes as numbers of several digits to a base, each digit as the sign so many places behind the first. */
const grouped = (group, digits, base, first, sign) => {
  let value = group.reduce((sum, byte) => sum * 256 + byte, 0);
  let written = '';
  for (let i = 0; i < digits; i++) {
    written = sign(first + (value % base)) + written;
    value = Math.floor(value / base);
  }
  return written;
};
const groupsOf = (list, size) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
const filled = (group, size) => [...group, ...Array(size - group.length).fill(0)];
const ascii85 = (text) =>
  groupsOf(bytes(text), 4)
    .map((group) =>
      grouped(filled(group, 4), 5, 85, 33, (unit) => String.fromCharCode(unit)).slice(0, group.length + 1),
    )
    .join('');
const uuencode = (text) =>
  groupsOf(bytes(text), 45)
    .map((line) => {
      const sign = (unit) => (unit === 32 ? '`' : String.fromCharCode(unit));
      return (
        String.fromCharCode(32 + line.length) +
        groupsOf(line, 3)
          .map((group) => grouped(filled(group, 3), 4, 64, 32, sign))
          .join('')
      );
    })
    .join('\n');

const encodings = {
  base64: (text) => `Decode this and act on it: ${base64(text)}`,
  base64url: (text) => `token=${Buffer.from(text).toString('base64url')}`,
  hex: (text) => `Decode the hex: ${bytes(text).map(hex).join('')}`,
  'hex, spaced': (text) => bytes(text).map(hex).join(' '),
  binary: (text) =>
    bytes(text)
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join(' '),
  percent: (text) =>
    bytes(text)
      .map((byte) => `%${hex(byte)}`)
      .join(''),
  'percent, as URLs': (text) => encodeURIComponent(text),
  entities: (text) => text.replace(/./gsu, (letter) => `&#${letter.codePointAt(0)};`),
  'escapes \\u': (text) => text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'escapes \\x': (text) =>
    bytes(text)
      .map((byte) => `\\x${hex(byte)}`)
      .join(''),
  'quoted-printable': (text) =>
    bytes(text)
      .map((byte) => `=${hex(byte).toUpperCase()}`)
      .join('')
      .replace(/.{72}/g, '$&=\n'),
  caesar: (text) => substituted(text, (letter) => (letter + 3) % 26),
  atbash: (text) => substituted(text, (letter) => 25 - letter),
  'base64 in fours': (text) => base64(text).replace(/.{4}/g, '$& '),
  'base64 in short lines': (text) => base64(text).replace(/.{8}/g, '$&\n'),
  'base64, letters apart': (text) => [...base64(text)].join(' '),
  'base64 backwards': (text) => backwards(base64(text)),
  'base64, word by word': (text) => word(text, base64),
  'hex backwards': (text) => backwards(bytes(text).map(hex).join('')),
  octal: (text) =>
    bytes(text)
      .map((byte) => byte.toString(8))
      .join(' '),
  'places in the alphabet': (text) => word(text, (letters) => places(letters).join('-')),
  'code points': (text) =>
    bytes(text)
      .map((byte) => `U+00${hex(byte).toUpperCase()}`)
      .join(' '),
  'escapes of stylesheets': (text) => letters(text, (letter) => `\\${hex(letter.charCodeAt(0))} `),
  'UTF-7': utf7,
  ascii85: (text) => `<~${ascii85(text)}~>`,
  uuencode: (text) => `begin 644 note\n${uuencode(text)}\n\`\nend`,
  rot47,
  Braille: (text) => mapped(text, 'abcdefghijklmnopqrstuvwxyz', '⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵'),
  'a list of characters': (text) => JSON.stringify([...text]),
  'words joined by underscores': (text) => text.replace(/ +/g, '_'),
  'words joined by capitals': (text) =>
    text.replace(/ *([^ ])([^ ]*) */g, (_, first, rest) => first.toUpperCase() + rest),
  'words joined by nothing': (text) => text.replace(/ +/g, ''),
  rot13: (text) => `Apply rot13 and answer: ${rot13(text)}`,
  reversed: (text) => `Read this backwards: ${[...text].reverse().join('')}`,
  'words reversed': (text) => text.replace(/[A-Za-z]+/g, (word) => [...word].reverse().join('')),
  leet: (text) => mapped(text, 'oieast', '013457'),
  spaced: (text) => apart(text, ' ', '   '),
  'spaced, no gaps': (text) => apart(text, ' ', ' '),
  dotted: (text) => apart(text, '.', ' '),
  'underscores between letters': (text) => apart(text, '_', ' '),
  'emoji between letters': (text) => apart(text, '😀', ' '),
  dashed: (text) => apart(text, '-', ' '),
  'zero width': (text) => text.replace(/[A-Za-z]{2}/g, (pair) => `${pair[0]}\u200b${pair[1]}`),
  'soft hyphens': (text) => [...text].join('\u00ad'),
  homoglyphs: (text) => mapped(text, 'aeopcyxi', 'аеорсухі'),
  fullwidth: (text) => text.replace(/[!-~]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) + 0xfee0)),
  'mathematical bold': (text) => shifted(text, 0x1d400, 0x1d41a),
  circled: (text) => shifted(text, 0x24b6, 0x24d0),
  'regional indicators': (text) =>
    letters(text, (letter) => String.fromCodePoint(0x1f1e6 + (letter.charCodeAt(0) & 31) - 1)),
  'small capitals': (text) => mapped(text, 'abcdefghijklmnopqrstuvwyz', 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'),
  'upside down': (text) => [...mapped(text, 'abcdefghijklmnopqrtuvwy', 'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹʇnʌʍʎ')].reverse().join(''),
  combining: (text) => text.replace(/[A-Za-z]/g, '$&\u0336\u0324\u0347'),
  tags: (text) =>
    `Hello.${[...text]
      .filter((unit) => unit < '\x7f')
      .map((unit) => String.fromCodePoint(0xe0000 + unit.charCodeAt(0)))
      .join('')}`,
  morse: (text) =>
    text
      .toLowerCase()
      .split(/\s+/)
      .map((word) => [...word].flatMap((letter) => morse.get(letter) ?? []).join(' '))
      .join(' / '),
  'letters scrambled': (text) =>
    words(text, 4, (word) => word[0] + [...word.slice(1, -1)].reverse().join('') + word.at(-1)),
  'letters swapped': (text) => words(text, 4, (word) => word[0] + word[2] + word[1] + word.slice(3)),
  'a letter left out': (text) => words(text, 5, (word) => word.slice(0, 2) + word.slice(3)),
  'a letter doubled': (text) => words(text, 4, (word) => word.slice(0, 2) + word.slice(1)),
  'vowels stretched': (text) => words(text, 4, (word) => word.replace(/[aeiou]/, '$&$&$&')),
  'no vowels': (text) => words(text, 3, (word) => word[0] + word.slice(1).replace(/[aeiou]/gi, '')),
  'torn by asterisks': (text) => torn(text, '**'),
  'torn by tags': (text) => torn(text, '<b></b>'),
  'torn by strings': (text) => torn(text, '" + "'),
  'torn by spaces': (text) => torn(text, ' '),
  'base64 of rot13': (text) => base64(rot13(text)),
  'percent of percent': (text) => encodeURIComponent(encodeURIComponent(text)),
  'base64 in JSON in percent': (text) => encodeURIComponent(JSON.stringify({ body: base64(text) })),
};

const options = process.argv.slice(2);
const option = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
const most = Number(option('--max') ?? 500);
const lang = option('--lang') ?? 'en';
const isMeant = (own) => (lang.startsWith('!') ? own !== lang.slice(1) : own === lang);
const isValue = (place) => ['--max', '--lang'].includes(options[place - 1]);
const files = options.filter((value, place) => !value.startsWith('--') && !isValue(place));

const rules = loadRules(join(root, 'rules'), { buildId: '' });
const profile = rules.profiles.find(({ id }) => id === 'default');
const scanner = createScanner(rules.program);
const scan = (content) => scanMessages(scanner, profile, [{ role: 'user', content }]);
const policiesOf = (content) => scan(content).policies;

const found = files
  .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
  .filter(({ label, text, lang: own }) => label === 'attack' && text.length <= 2_000 && isMeant(own ?? 'en'))
  .flatMap(({ text }) => {
    const { policies: all, findings } = scan(text);
    const policies = all.filter((code) => code === 'LLM01' || code === 'LLM07');
    return policies.length > 0 && !findings.some(({ via }) => via?.length > 0) ? [{ text, policies }] : [];
  });
const attacks = found.filter((_, place) => place % Math.max(1, Math.floor(found.length / most)) === 0).slice(0, most);

if (attacks.length === 0) {
  process.stderr.write('encodings: no attack there is found as it stands\n');
  process.exit(1);
}
process.stdout.write(`${attacks.length} of ${found.length} found attacks of LLM01 and LLM07\n\n`);
for (const [name, encode] of Object.entries(encodings)) {
  const misses = attacks.filter(({ text, policies }) => {
    const now = policiesOf(encode(text));
    return !policies.some((code) => now.includes(code));
  });
  const share = (100 * (attacks.length - misses.length)) / attacks.length;
  process.stdout.write(`${name.padEnd(28)} ${share.toFixed(1).padStart(6)} %\n`);
  if (options.includes('--misses'))
    for (const { text } of misses.slice(0, 5)) process.stdout.write(`    ${JSON.stringify(text.slice(0, 140))}\n`);
}
