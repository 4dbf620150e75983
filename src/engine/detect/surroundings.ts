/*
 * What stands around a hit and says that it is published, or no value at all. All look at a bounded part of the text.
 */

/**
 * True unless the hit stands in a byline, as files and manuals carry it to say who made them: beside a name or alone, in a line
 * that tells of copyright, an author or a maintainer, beneath one of copyright or a heading such as `AUTHORS`, in such a field or
 * list of a record or manifest, as a comment of its own, or before the date of an entry in a log of changes. `Author:` counts behind the sign of a comment
 * or in quotes, as logs of versions say it of people, too.
 */
export function outsideByline(hit: string, text = '', start = 0): boolean {
  const end = start + hit.length;
  if (dated.test(text.slice(end, end + gapUnits))) return false;
  const before = text.slice(Math.max(0, start - beforeUnits), start);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.slice(lineStart);
  if (!isSigned(line.slice(-signUnits), text.slice(end, end + signUnits))) return true;
  if (
    maker.test(line) ||
    authorKey.test(line) ||
    yearsAndName.test(line) ||
    (comment.test(line) && makerInComment.test(line)) ||
    (nameInComment.test(line) && yearAtMost.test(text.slice(end, end + gapUnits)))
  )
    return false;
  if (manifest.test(before)) return false;
  const above = before.slice(0, Math.max(0, lineStart - 1)).split('\n');
  if (notice.test(above.slice(-noticeLines).join('\n'))) return false;
  if (addressAlone.test(line) && maker.test(above.at(-1) ?? '')) return false;
  if (/^\s/.test(line) && field.test(above.findLast((each) => /^\S/.test(each)) ?? '')) return false;
  const heading = above.findLastIndex((each) => makers.test(each) || thanked.test(each));
  return heading < 0 || above.slice(heading + 1).some((each) => otherHeading.test(each));
}

/** Whether an address is written as one of whoever signs: in brackets or quotes behind a name, or with nothing but names around it. */
function isSigned(before: string, behind: string): boolean {
  const lead = before.split(introducer).at(-1) ?? '';
  if (/(?:[<(⟨["'«]|E<lt>|&lt;|mailto:)$/.test(before)) return !tells.test(lead);
  return namesOnly.test(lead) && closes.test(behind);
}

/**
 * True unless the sentence of the hit says of whom it tells that he or she is a person of some country, as encyclopedias do, and
 * nothing that records say of people.
 */
export function outsideBiography(hit: string, text = '', start = 0): boolean {
  const before = /[^.\n]*$/.exec(text.slice(Math.max(0, start - sentenceUnits), start))?.[0] ?? '';
  const end = start + hit.length;
  const after = /^[^.\n]*/.exec(text.slice(end, end + sentenceUnits))?.[0] ?? '';
  if (recorded.test(before) || recorded.test(after)) return true;
  return !countryman.test(after) && !countryman.test(before);
}

/** True where dots stand behind the hit that say so of a beginning: a short one, or the head of a token. Behind a whole value they end a sentence. */
export function isCutOff(hit: string, text = '', start = 0): boolean {
  const end = start + hit.length;
  if (!text.startsWith('...', end) && !text.startsWith('…', end)) return false;
  return hit.length < wholeUnitsMin || hit.startsWith('eyJ');
}

/**
 * True of the first word of a line of code in Markdown with nothing but a caption above it, as manuals show commands: in
 * backticks beneath an empty line, in small letters, with more behind it or without a digit.
 */
export function isCommandShown(hit: string, text = '', start = 0): boolean {
  if (!/^[a-z][a-z0-9_.-]*$/.test(hit)) return false;
  if (/[0-9]/.test(hit) && text[start + hit.length] !== ' ') return false;
  return /\n[ \t]*\r?\n[ \t]*`$/.test(text.slice(Math.max(0, start - gapUnits), start));
}

/** In UTF-16 units. */
const beforeUnits = 800;
const gapUnits = 24;
const noticeLines = 2;
const signUnits = 160;
const wholeUnitsMin = 20;

const sentenceUnits = 120;

const countryman = /\b(?:is|was)\s(?:an?|the)\s(?:[a-z]+\s){0,2}[A-Z][a-z]{2,14}(?:[- ][A-Z][a-z]{2,14})?\s[a-z]{3,}/;

const introducer = /copyright|\(c\)|©|\b(?:author|maintainer|contributor|contact|credit|thank|upstream|by|e-?mail)\w*/i;
const tells = /\b(?:is|are|was|were|to|at|under|her|his|their|customers?|patients?|clients?|send|invoice)\b/i;
/** A name is taken whole, by its lookahead: cut anywhere, a word of capitals would be eight names in thousands of millions of ways. */
const namesOnly = /^[^\p{L}]*(?:(?:(?=(\p{Lu}[\p{L}.'’-]*))\1|de|van|von|der|la|and|e-?mail)[^\p{L}]*){0,8}$/u;
const closes = /^[^\p{L}\n]*(?:$|\n|(?:all rights|and|http|for|\d{4})\b)/iu;

const recorded =
  /\b(?:patient|customer|client|employee|applicant|tenant|guest|member|insured|policy\s?holder|borrower|diagnos\w+|allerg\w+|phone|tel|mobile|e-?mail|address|passport|account|salary|ssn|id)\b/i;

const maker =
  /copyright|\(c\)\s{0,3}(?:19|20)[0-9]{2}|©|[@\\]author\b|\b_*(?:author|maintainer)_*(?:_?e?mail)?_*\s{0,4}=|"(?:author|maintainer)s?"\s?:|\b(?:written|authored|ported|maintained|(?:re)?packaged|debiani[sz]ed|implemented|compiled)\s{1,4}(?:in [0-9]{4} )?by\b|\bmaintainers?:|__e?mail__|^signed-off-by:|^co-authored-by:/i;
/** An open list or object of a package's manifest. */
const manifest = /"(?:author|contributor|maintainer)s?"\s{0,3}:\s{0,3}(?:\[[^\]]*|\{[^}]*)$/;
/** In manuals of modules; logs of versions write it with a capital. */
const authorKey = /^\s{0,8}(?:- )?authors?:/;
/** A line of a notice of many: `2004-2011, 2014 Mara Lind <`. */
const yearsAndName =
  /^\W{0,32}(?:(?:19|20)[0-9]{2}(?:\s?[-–—](?:\s?(?:19|20)[0-9]{2})?)?(?:,\s{0,2})?){1,12}\s{1,8}\p{Lu}[^<(@]{1,60}[<(]$/u;
/** Of the record that a file of licences is made of; what is indented beneath goes on with it. */
const field = /^(?:upstream[- ])?(?:author|copyright|contact|maintainer)s?:/i;
const addressAlone = /^\W{0,12}(?:mailto:)?$/;
const comment = /^\s{0,16}(?:#|\*|\/\/|\/\*|--|;|%|"""|'''|"\s|dnl\b|\.\\"|rem\b|<!--)/i;
const makerInComment = /\b(?:authors?|by|contact|e-?mail|credits?|thanks|patch(?:es)? from)\b/i;
/** A comment that is nothing but a name and its address, as beneath a licence; points of a list (`*`, `-`) may be any people. */
const nameInComment =
  /^\s{0,16}(?:#|\/\/|;|%|"|--\s|dnl\s)\s{0,4}\p{Lu}[\p{L}.'’-]{0,24}(?:\s\p{Lu}[\p{L}.'’-]{0,24}|\sde|\svan|\svon){1,5}\s?<$/u;
const yearAtMost = /^>(?:,?\s(?:19|20)[0-9]{2})?[.,]?[ \t]*(?:\r?\n|$)/;
const dated = /^>,? {1,3}(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? /;
const notice = /copyright|\(c\)\s{0,3}(?:19|20)[0-9]{2}|©/i;
const makers =
  /^[ \t]{0,8}(?:=head[1-3] |#{1,4} |\*{1,2}|[#*;/]{1,3} {0,4})?(?:(?:current|past|original) )?(?:authors?|maintainers?|contributors?|copyright)(?: (?:and|&) \w+)?:?\*{0,2}[ \t]*$/i;
/** Letters end with such words, and conversations: as headings they are marked, or capitals. */
const thanked =
  /^[ \t]{0,8}(?:(?:=head[1-3] |#{1,4} |\*\*)(?:[Cc]redits|[Aa]cknowledge?ments?|[Tt]hanks)|CREDITS|ACKNOWLEDGE?MENTS?|THANKS)(?: \w+){0,2}:?\*{0,2}[ \t]*$/;
const otherHeading = /^(?:=head[1-3] |#{1,4} |[A-Z][A-Z ]{3,40}$)/;
