import { identifier } from './identifier.js';
import { random } from './randomness.js';

/**
 * A value that somebody filled in: no variable (`${NAME}`, `$NAME`, `%NAME%`, `@name@`), no template or mask
 * (`<…>`, `{{…}}`, `[FILTERED]`, `****`), no word that asks for a value or says that it is none (`your-key`, `changeme`), no
 * digest or ciphertext that says so (`hmac-sha256:`, `ENC[`, `vault:v1:`, a sealed secret of Kubernetes), no beginning of a hash
 * alone (`$2b$12$`), no line of `/etc/passwd`, no complaint about an unset variable (`:?missing`), no option (`--key`), constant
 * (`HMAC_SHA1`), file or path of a vault, no field with its name (`trace=…`), no pod of Kubernetes (`web-7d9fbc64b8-x2k4q`), no beginning that dots cut off, not one character repeated.
 */
export function filledIn(hit: string): boolean {
  const text = hit.slice(0, unitsMax);
  return !variable.test(text) && !blank.test(text) && !constant.test(text) && !/^(.)\1*$/.test(text);
}

/**
 * A password as people choose them: filled in, letters with digits or signs among them, four words and more that signs
 * join, or letters that make no word; no address, path or name in code, no algorithm (`sha256`) or measure (`8-character`), none of the samples
 * that documentation and tests use.
 */
export function password(hit: string): boolean {
  const text = hit.slice(0, unitsMax);
  if (!filledIn(text) || text.length < passwordUnitsMin || sample.test(text) || address.test(text)) return false;
  if (nameInCode.test(text) || technical.test(text)) return false;
  if (!/\p{L}/u.test(text)) return false;
  return /[0-9]/.test(text) || /[!@#$%^&*+=?~]/.test(text.slice(0, -1)) || joinedWords.test(text) || isGenerated(text);
}

/**
 * A password that is told by its shape: one with letters and digits and a sign between them or behind them, words joined
 * with a number at their end or by a sign that joins no others (`Açaí*Tigela`), or letters and digits that make no word.
 * For values that nothing but a name before them tells: no name of a machine (`db-prod-02`), product (`iPhone15`),
 * firm (`Marks&Spencer`), digest or UUID.
 */
export function strongPassword(hit: string): boolean {
  const text = hit.slice(0, unitsMax);
  if (!password(text) || technicalPart.test(text)) return false;
  if (!/[0-9]/.test(text)) return signedWords.test(text) || (joinedWithAny.test(text) && farLetter.test(text));
  if (signInside.test(text) || signBehind.test(text) || joinedByAt.test(text)) return true;
  if (wordsAndNumber.test(text)) return !machinePart.test(text);
  if (wordAndNumber.test(text)) return false;
  return (
    text.length >= strongUnitsMin &&
    /[a-z]/.test(text) &&
    !/^[0-9a-f-]+$/i.test(text) &&
    !/[./:@]/.test(text) &&
    random(text)
  );
}

/** Letters alone, as a generator makes them: four of both cases, and no word. */
function isGenerated(text: string): boolean {
  return text.length >= generatedUnitsMin && /(?:[a-z].*){4}/.test(text) && /(?:[A-Z].*){4}/.test(text) && random(text);
}

/** A key of a wireless network as people tell it: a password, or eight digits and more that are no run. */
export function wifiKey(hit: string): boolean {
  return /^[0-9]{8,}$/.test(hit) ? identifier(hit) : password(hit);
}

/** Enough of a value to know it by; keys run to thousands of units. */
const unitsMax = 512;
const passwordUnitsMin = 6;
const generatedUnitsMin = 12;
const strongUnitsMin = 10;

const variable =
  /(?:^|:)(?:\$[A-Za-z_{(]|[%@][A-Za-z_]+[%@]$|#\{)|^\[[A-Za-z_ ]+\]?$|[<>]|\{\{|\$\{|process\.env|os\.environ|getenv|^env[.(]/i;
const blank =
  /xxxx|\*{4}|\.{4}|_{4}|example|your|placeholder|insert|dummy|change.?(?:me|this|it)|replace|redacted|filtered|masked|sample|fill.?(?:me|in)|todo|not.?a.?real|fake.?(?:key|token|secret|pass)|_here$|^arn:|^![A-Za-z]+$|^\/\/|https?:|^\/\w[\w.-]*\/|^\?[a-z]+$|^Ag[A-D][\w+/]{60}|^[x*!]:[0-9]+:[0-9]+:|^\$\w{1,8}\$(?:[\w=,]{0,20}\$)?$|^(?:hmac-)?sha[0-9]{0,3}:|^ENC\[|^enc[:(]|^vault:v[0-9]|^\{cipher\}|^(?:.{0,19}|eyJ\w*)\.{3}$|^--?[a-z][a-z0-9]+(?:-[a-z0-9]+)*$|^\^[A-Z]+\^$|^my-[a-z-]+[0-9]?$|^[~^]?v?[0-9]+(?:\.[0-9]+)+$|^[A-Za-z][A-Za-z_]{2,30}=[^\s=].{15}|^[a-z]{3,}[a-z-]*-(?=[a-z]*[0-9])[a-z0-9]{8,10}-[a-z0-9]{5}$|\/secrets?\/|\.(?:zip|ova|tar|t?gz|iso|img|pdf|png|jpe?g|svg|csv|xlsx?|docx?|md|rst|html?|tsx?|mjs)$/i;
/** A name in code: words of capitals, each with a short number at most, or small ones that underscores and dots join, or a type of arrays. */
const constant =
  /^[A-Z]{2,}[0-9]{0,4}[A-Z]{0,4}(?:_[A-Z]{2,}[0-9]{0,4}){1,8}$|^(?=[^_]*_)[a-z_]+[0-9]?(?:\.[a-z_]+[0-9]?)+$|^(?:Big)?(?:U?[Ii]nt|Float)[0-9]{1,2}(?:Clamped)?Array$/;
const sample =
  /pass(?:wor[dt]|wd|w0rd|phrase)|p[a@]ssw[o0]rd|hunter2|letmein|qwert[yz]|abc123|12345|secret|^test|^foo|^admin$|^(?:true|false|null|none|undefined)$/i;
const address =
  /:\/\/|[?&]\w+=|^[0-9]{2,5}\/|^[\w.+-]+@[\w-]+\.[a-z]{2,}|^\.{0,2}\/|^[a-z]:\\|\.(?:com|org|net|io|dev|html?|md|txt|json|ya?ml|py|js|ts|php|java|conf|cfg|ini|env|xml|pem|key|log|sh)\b|^[0-9.:/]+$/i;
const nameInCode =
  /[()[\]{};|]|\\[swd]|^[a-z_]+(?:[A-Z][a-z]+)*=[a-z0-9_-]+$|^[a-z_][a-z_]*(?:[.:]{1,2}[a-z_]+)+$|^[a-z]+(?:[A-Z][a-z]+)+[0-9]?$|^[A-Z][A-Z_]+[0-9]?$|^[a-z]+(?:_[a-z]+){1,2}[0-9]?$/;
const technical =
  /^(?:base-?(?:32|58|64)|b64(?:enc|dec)|(?:sha[0-9]{0,3}|md5|b2|ck)sum|sha-?[0-9]|md[45]|utf-?(?:8|16)|aes-?[0-9]|[bs]crypt|scram|argon2|pbkdf2|[hre]s256|x\.?509|oauth|rfc-?[0-9]|ipv[46]|pkcs|http|ed25519|rsa|win(?:dows)?[0-9]|[0-9]+[-–]?(?:[0-9]+[-–]?)?(?:char|digit|bit|byte|letter|day|hour|minute|month|year|second|time|文字|자리|位|симв|знак|caract|zeichen|teken|tecken|tegn|znak|karakter|x|st|nd|rd|th|mm|kb|mb|gb)|(?:wpa|step|version|v|type|level|line|page|chapter|mysql|python|php|java|user|field|option|windows|office|excel|room|iphone|ipad|galaxy|pixel|macbook|redmi|xbox|ubuntu|debian|centos|fedora|android|macos|ios)-?[0-9.]{1,8}$)/i;
/** Signs that names of code and files do not have between letters and digits; `@` and `=` join things that have names. */
const signInside = /[\p{L}0-9][!#$%^&*~?+]+[\p{L}0-9]/u;
/** Words that a sign joins, one of them written large; `@` joins a name and a place unless both are. */
const signedWords = /^(?=.*\p{Lu})\p{L}{3,}(?:[!#$%^*~]+\p{L}{2,}|@\p{Lu}\p{L}+){1,3}[!#$%^*~]*$/u;
/** The same with `&`, which joins the names of firms, and with any `@`: for words that are not of ASCII alone. */
const joinedWithAny = /^\p{L}{3,}(?:[&!#$%^*~@]+\p{L}{2,}){1,3}[!#$%^*~]*$/u;
const farLetter = /[À-ɏЀ-ӿͰ-Ͽ]/;
/** A word written large, and behind an `@` a year or a word with a number: `Dragon@1986`. */
const joinedByAt = /^\p{Lu}\p{L}{2,}(?:[-_.]\p{L}{2,})*@(?:[0-9]{2,6}|\p{Lu}\p{L}+[0-9]{1,4})[!#$%*]?$/u;
const signBehind = /[0-9][#$%^&*~=]$|[0-9]{3}[!?]+$/;
const wordsAndNumber = /^\p{L}{3,}(?:[-_.]\p{L}{3,}){1,4}[-_.]?[0-9]{1,6}$/u;
const wordAndNumber = /^\p{L}{3,}[-_.][0-9]{1,4}$/u;
const machinePart =
  /(?:^|[-_.])(?:srv|server|host|node|prod|production|stag(?:e|ing)|dev|test|web|app|api|data|database|ldap|proxy|mail|router|switch|cluster|east|west|north|south|central|version|release|chapter|page|step|part|room|level|user|account|client|team|build|task|issue|ticket|case|rule|policy|config|option|field|form|file|module|lesson|draft|update)s?(?:[-_.0-9]|$)/i;
const technicalPart = /^[A-Z]{2,8}[-_/#]?[0-9]|[a-z]\+\+|^[CF][#+]/;
const joinedWords = /^[a-z]{3,}(?:[-_][a-z]{3,}){3,}$/;
