/**
 * The value of an event handler attribute (`onerror="…"`, the hit begins with the name) does what handlers of ordinary
 * pages do not: it opens a dialog that only proves that code ran, reads the session, sends it away, loads a script,
 * calls functions by computed names, or its letters are written as entities or escapes. Ordinary handlers call a
 * function of the page, change an element or go to another page of the site.
 */
export function handlerPayload(hit: string): boolean {
  const parts = handler.exec(hit.slice(0, hitUnitsMax));
  if (!parts) return false;
  const [name, quote, value] = [parts[1]?.toLowerCase() ?? '', parts[2] ?? '', parts[3] ?? ''];
  if (quote === '' && program.test(value)) return false;
  const code = readable(value);
  if (code === undefined || payload(code) || foreignRequest.test(code) || bareProof.test(code)) return true;
  if (quote === '' && bareCall.test(code)) return true;
  const isAssignment = quote === '' && spacedAssignment.test(hit);
  if (!commonHandlers.test(name) && !isAssignment && nothingOrdinary.test(code)) return true;
  if (!readersActs.test(name) && (leavesSite.test(code) || bareCallOfPage.test(code))) return true;
  return loads.test(name) && consoleCall.test(code);
}

/**
 * The beginning of a script element's content (the hit begins with `<script`, plain or encoded) is a proof or a theft
 * rather than a program: see `handlerPayload`; requests and addresses of other sites are ordinary in scripts.
 */
export function scriptPayload(hit: string): boolean {
  const end = />|%3e|&gt;|\\x3e|\\u003e|&#62;|&#x3e;/i.exec(hit);
  if (!end) return false;
  const content = hit.slice(end.index + end[0].length, end.index + hitUnitsMax);
  const code = readable(content.split(/<\/|%3c\/|&lt;\/|\\x3c/i, 1)[0] ?? '');
  return code === undefined || payload(code);
}

/**
 * The hit, from the beginning of a line up to a call, leaves a string or a comment that it did not open: `x');`,
 * `1"-`. What follows was meant to run in the script around it.
 */
export function scriptBreakout(hit: string): boolean {
  if (hit.length > breakoutUnitsMax) return false;
  if (/(?:%2[27]|%60|&apos;|&quot;|&#0*3[49];?|&#x2[27];?|\\(?:x2[27]|u002[27]))[^"'`]*$/i.test(hit)) return true;
  if (/\*\/[^"'`]*$/.test(hit)) return !hit.includes('/*');
  const quote = /["'`](?=[^"'`]*$)/.exec(hit)?.[0];
  if (quote === undefined) return false;
  const open = hit.replace(/\\./g, '').split(quote).length - 1;
  return open % 2 === 1 || (open === 0 && hit.split(quote).length === 2);
}

/** A breakout stands at the beginning of what was put into the script. */
const breakoutUnitsMax = 120;

/** Units of a hit that are looked at. */
const hitUnitsMax = 320;

const handler =
  /(on[a-z%;&#0-9]{2,44}?)(?:[\s/+]|%[0-9a-f]{2}|&[a-z]{3,8};|\\x?[0-9a-z]{1,2})*(?:=|&equals;|%3d|&#61;?|&#x3d;?)\s*(\\{0,2}["'`]|)\s*([\s\S]*)$/i;

/**
 * Without quotes: a program's own assignment (`onClick={…}`, `onload = () => …`) rather than an attribute. The hit ends
 * before an arrow's head.
 */
const program =
  /^(?:\{(?!\s*(?:alert|confirm|prompt)\()|(?:\([^()]*\)(?:\s*:\s*[\w<[\]| ]+)?|[\w, ]+)\s*=(?:>|$)|function\b|async\b|lambda\b|self\.|props\b)/;

/** As programs are set, and attributes hardly: `const onDrain = new Set()`. */
const spacedAssignment = /^\w+ = /;

const bareCall = /^[!+\-~({[;,]*\s*(?:alert|confirm|prompt|print|eval|write|msgbox)\b/i;
const bareCallOfPage = /^\s*(?:print|msgbox|write)\s*[(`]/i;
const bareProof = /^\s*(?:debugger|open\(|write\(|xss\b)|console\.log\(\s*(?:\d|[)])/i;
const nothingOrdinary = /^\s*(?:debugger|[\d!+~([{;]|void\b|throw\b|new\b|write\b|print\b|open\()/;
const consoleCall = /^\s*console\.\w+\(/;

/** Where a page prints or leaves the site because its reader asked for it, and where it only loads. */
const readersActs = /^on(?:click|change|submit)$/;
const loads = /^on(?:load|error)$/;

/** Handlers that people write into pages by hand. */
const commonHandlers =
  /^on(?:click|dblclick|change|input|submit|reset|load|unload|beforeunload|error|focus|blur|key\w+|mouse\w+|drag\w*|drop|touch\w+|scroll|resize|select|contextmenu|copy|cut|paste|play|pause|ended|toggle|close|wheel|hashchange|message)$/;

/**
 * The code as an interpreter would read it, or nothing where letters or brackets of it were hidden: nobody writes
 * `&#97;lert` or `\u0061lert` but to get past a filter. Quotes and signs of the language of pages are often escaped.
 */
function readable(value: string): string | undefined {
  if (
    /&#(?:x0*(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|28|29)|0*(?:6[5-9]|[78][0-9]|90|9[7-9]|1[01][0-9]|12[0-2]|40|41));?/i.test(
      value,
    )
  )
    return undefined;
  if (/&#(?:x0*[0-9a-d]|0*(?:[0-9]|1[0-3]));?(?![0-9])/i.test(value)) return undefined;
  if (/&(?:lpar|rpar|colon|tab|newline|period|lbrack|rbrack|grave|lsqb|lbrace);/i.test(value)) return undefined;
  if (/\\u00[4-7][0-9a-f]|\\u\{0*[4-7][0-9a-f]\}|\\x(?:[46][1-9a-f]|[57][0-9a])|\\x2[89]|\\1[0-7]{2}/i.test(value))
    return undefined;
  if (/%(?:28|60)|%[46][1-9a-f](?=\w)/i.test(value)) return undefined;
  return value
    .replace(/\/\*[^*]{0,40}\*\//g, ' ')
    .replace(/&quot;|&#34;|\\"/g, '"')
    .replace(/&apos;|&#39;|\\'/g, "'");
}

function payload(code: string): boolean {
  if (signs.some((sign) => sign.test(code))) return true;
  for (const call of code.matchAll(dialogs)) {
    if (tellingArgument(code.slice(call.index + call[0].length), call[0].endsWith('`'))) return true;
  }
  return false;
}

const dialogs = /(?:\b|[^\w.])(?:alert|confirm|prompt)\)?\s{0,3}(?:\?\.)?\s{0,3}[(`]/gi;

/**
 * Whether what a dialog is asked to show only proves that it was shown: a number, nothing, one word, or something of the session.
 * A page tells its reader a sentence, or what stands in a field.
 */
function tellingArgument(rest: string, template: boolean): boolean {
  if (template) return true;
  const text = /^\s*(["'`])([^"'`]*)/.exec(rest);
  if (text) return !ordinaryMessage(text[2] ?? '');
  if (/^\s*(?:[/)]|-?\d[\d.e]*\s*[),;]|$)/.test(rest)) return true;
  return /^\s*(?:(?:window|document|self|top|parent)\s*[.[]\s*["'`]?(?:cookie|domain|location|origin|url|baseuri|referrer|name|title|documentelement|opener)|(?:location|origin|localstorage|sessionstorage|name|cookie|domain|navigator|self|window|top|flag|xss)\b|string\.|\[|\$\)|atob)/i.test(
    rest,
  );
}

function ordinaryMessage(text: string): boolean {
  if (/xss|xxs|hack|pwn|inject|vuln|owned|cookie|exploit|attack|payload|bypass|h4x|poc\b|1337/i.test(text))
    return false;
  return (
    /\p{L}{2,}[^\p{L}]{0,3}\s\S{0,3}\p{L}/u.test(text) ||
    /^\W*(?:hello|hi|hey|welcome|clicked|done|saved|deleted|success\w*|error|submitted|ok|yes|no|you\b|the\b|thank\w*)\b/i.test(
      text,
    ) ||
    /[^ -\u024f\s]{3}/.test(text) ||
    /^[A-Z][\w ]*[ :]\s*$/.test(text)
  );
}

const leavesSite = /\blocation\s*(?:=|\.href\s*=|\.assign\(|\.replace\()\s*["'`]?(?:https?:)?\/\/|\btop\.location\b/i;

const foreignRequest =
  /(?:fetch|sendbeacon|getscript|\$\.(?:get|post|ajax)|import|load)\s*\([^)]{0,24}["'`](?:https?:)?\/\/|new\s+(?:image|xmlhttprequest)\b|document\.write|document\.(?:body|documentelement)\.(?:inner|outer)html\s*=|\bwith\s*\(\s*document|forms\[\d\]|createelement\(\s*["'`]script/i;

/** What alone makes code a payload. */
const signs: readonly RegExp[] = [
  /^\s*(?:java|vb|live)script\s*:\s*(?!void|;|history|window\.print|location\.reload|return)/i,
  /\beval\s*(?:\?\.)?\s*(?:\)\s*)?(?:`|\(\s*(?:atob|name|location|url|unescape|decodeuri|string\.|document\.|window\.|this\.|self\.|top\.|event|id\b|src\b|alt\b|title\b|["'`](?:al|\\|pro|con|var a=document)|\w{1,2}\)))/i,
  /\b(?:settimeout|setinterval|function)\s*(?:`|\(\s*(?:["'`][^"'`]{0,12}(?:alert|confirm|prompt|\\)|atob|alert\b|confirm\b|prompt\b|location|name\b|["'`]\s*\)))/i,
  /\b(?:window|self|top|this|parent|frames|globalthis|document)\s*\)?\s*(?:\?\.)?\[\s*(?:["'`](?:alert|confirm|prompt|eval|al|ale|aler|ev|con|pro|cookie|doc|location|\\)|\/|atob|object\.|\d{3}|[a-z]\s*=|[a-z]{1,5}\s*\+|[("'`][^\]]{0,24}\+)/i,
  /(?:[=,(;:!?&|+\-~]|throw|^)\s*\(?\s*(?:alert|eval)\s*(?:[,;)\]}]|$)/i,
  /\.(?:map|find|filter|some|every|foreach|sort|reduce|from|findindex|flatmap)\s*(?:\(|`)\s*(?:alert|eval|confirm|prompt)\b/i,
  /\[\s*["'`]constructor["'`]\s*\]|constructor\s*(?:\(\s*["'`]|`)|\[\]\s*\[|!\[\]|\[\s*\+\[\]/,
  /\bonerror\s*=\s*(?:alert|eval|confirm|prompt)|\bthrow\s*(?:onerror|\/|[0-9]|["'`])|symbol\.hasinstance|reflect\.(?:apply|construct|get)/i,
  /\.source\s*\+|\/al\/|\/alert\/\s*\.source|tostring\(\s*3[0-6]\s*\)|fromcharcode\s*\(\s*\d+\s*,\s*\d+|\batob\s*\(\s*["'`]/i,
  /(?:location|\.src|fetch|open|send\w*|getscript|href|post|action|image\(\))\b[\s\S]{0,120}document\.cookie|document\.cookie[\s\S]{0,80}(?:location|\.src|fetch|xmlhttp|sendbeacon|image\()|console\.\w+\(\s*document\.(?:cookie|domain)|(?:https?:)?\/\/[^\s"'`]{3,80}["'`]\s*\+\s*(?:btoa\(|encodeuri\w*\(|escape\()?\s*(?:document\.|localstorage|sessionstorage)/i,
  /\bimport\s*\(\s*["'`](?:\/\/|data:|javascript:)|getscript\(\s*["'`]|\blocation\s*(?:=|\.href\s*=|\.assign\(|\.replace\()\s*(?:["'`]?(?:javascript:|\/\/|data:)|name\b|location\.hash|(?:window\.)?(?:inner|outer)html|document\.)|\b(?:inner|outer)html\s*\+?=\s*(?:location|url|name\b|document\.url)/i,
];
