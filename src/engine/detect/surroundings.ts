/*
 * What stands before a hit and says that it is published, or no value at all. All look at a bounded part of the text.
 */

/**
 * True unless the hit stands in a byline, as files and manuals carry it to say who made them: in a line that tells of
 * copyright, an author or a maintainer, beneath one of copyright, beneath a heading such as `AUTHORS`, or before the date of
 * an entry in a log of changes. `Author:` counts behind the sign of a comment or in quotes, as logs of versions say it of people, too.
 */
export function outsideByline(hit: string, text = '', start = 0): boolean {
  if (dated.test(text.slice(start + hit.length, start + hit.length + gapUnits))) return false;
  const before = text.slice(Math.max(0, start - beforeUnits), start);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.slice(lineStart);
  if (maker.test(line) || (comment.test(line) && makerInComment.test(line))) return false;
  const above = before.slice(0, Math.max(0, lineStart - 1)).split('\n');
  if (notice.test(above.slice(-noticeLines).join('\n'))) return false;
  const heading = above.findLastIndex((each) => makers.test(each));
  return heading < 0 || above.slice(heading + 1).some((each) => otherHeading.test(each));
}

/** True unless the sentence of the hit says of whom it tells that he or she is a person of some country, as encyclopedias do. */
export function outsideBiography(hit: string, text = '', start = 0): boolean {
  const before = text.slice(Math.max(0, start - sentenceUnits), start);
  const after = text.slice(start + hit.length, start + hit.length + sentenceUnits);
  return !countryman.test(/^[^.\n]*/.exec(after)?.[0] ?? '') && !countryman.test(/[^.\n]*$/.exec(before)?.[0] ?? '');
}

/**
 * True unless the hit is cut off by dots, or the first word of a line of code in Markdown with nothing but a caption above it,
 * as manuals show commands: in backticks beneath an empty line, in small letters.
 */
export function isShownWhole(hit: string, text = '', start = 0): boolean {
  const end = start + hit.length;
  if (text.startsWith('...', end) || text.startsWith('…', end)) return false;
  const before = text.slice(Math.max(0, start - gapUnits), start);
  return !/^[a-z][a-z0-9_.-]*$/.test(hit) || !/\n[ \t]*\r?\n[ \t]*`$/.test(before);
}

/** In UTF-16 units. */
const beforeUnits = 480;
const gapUnits = 24;
const noticeLines = 2;

const sentenceUnits = 120;

const countryman = /\b(?:is|was)\s(?:an?|the)\s(?:[a-z]+\s){0,2}[A-Z][a-z]{2,14}(?:[- ][A-Z][a-z]{2,14})?\s[a-z]{3,}/;

const maker =
  /copyright|\(c\)\s{0,3}(?:19|20)[0-9]{2}|©|[@\\]author\b|\b_*(?:author|maintainer)_*(?:_?e?mail)?_*\s{0,4}=|"(?:author|maintainer)s?"\s?:|\b(?:written|authored|contributed|ported|maintained|packaged|implemented) (?:in [0-9]{4} )?by\b|\bmaintainers?:|__e?mail__|^signed-off-by:|^co-authored-by:/i;
const comment = /^\s{0,16}(?:#|\*|\/\/|\/\*|--|;|%|"""|'''|dnl\b|\.\\"|rem\b|<!--)/i;
const makerInComment = /\b(?:authors?|by|contact|e-?mail|credits?|thanks|patch(?:es)? from)\b/i;
const dated = /^>,? {1,3}(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? /;
const notice = /copyright|\(c\)\s{0,3}(?:19|20)[0-9]{2}|©/i;
const makers =
  /^[ \t]{0,8}(?:=head[1-3] |#{1,4} |\*{1,2}|[#*;/]{1,3} {0,4})?(?:(?:current|past|original) )?(?:authors?|maintainers?|contributors?|credits|acknowledge?ments?|thanks|copyright)(?: (?:and|&) \w+)?:?\*{0,2}[ \t]*$/i;
const otherHeading = /^(?:=head[1-3] |#{1,4} |[A-Z][A-Z ]{3,40}$)/;
