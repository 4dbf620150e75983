/**
 * A comparison of constants or of a thing with itself, as in `or 7=7`, `and 'a'='b` or `or x=x`: the last comparison
 * of the hit has two literals, or twice the same operand. Ordinary conditions compare a name with a literal.
 */
export function constantComparison(hit: string): boolean {
  const parts = lastComparison.exec(hit.slice(-comparisonUnitsMax));
  if (!parts) return false;
  const [left, right] = [operand(parts[1]), operand(parts[2])];
  if (left === right) return true;
  return isNumber(left) && isNumber(right);
}

/**
 * True unless the hit is a sum that a sentence goes on with (`two packs, or 2*3=6 pens`): behind a word, a number or a bracket, with a
 * sign of arithmetic before its comparison, or going on behind it.
 */
export function outsideSum(hit: string, text = '', start = 0): boolean {
  if (!/[0-9a-z)\]],?\s{1,3}$/i.test(text.slice(Math.max(0, start - sumUnits), start))) return true;
  const after = text.slice(start + hit.length, start + hit.length + sumUnits);
  const isArithmetic =
    /^\w{2,3}\s{1,3}\(?[0-9.]+\s?[-+*/x×]\s?\(?[0-9]/i.test(hit) && !/^\s{0,3}(?:--|#|\/\*|;|["'`])/.test(after);
  return !isArithmetic && !/^[0-9]*[./*+]\(?[0-9]/.test(after);
}

const sumUnits = 8;

/**
 * A command of a shell once what hides it is taken out: empty quotes, backslashes, carets, and parameters and
 * substitutions that expand to nothing, as in `wh''oami`, `c$@at` or `p``ing`.
 */
export function hiddenCommand(hit: string): boolean {
  // An apostrophe, as strings of YAML and SQL have it.
  if (hit === "I''d") return false;
  // What stands behind the word hides nothing: two backticks end code in some markup, two quotes a quotation in CSV.
  const bare = hit
    .slice(0, commandUnitsMax)
    .toLowerCase()
    .replace(/(?:``|""|'')+[^a-z]*$/, '');
  const word = bare.replace(emptyExpansions, '');
  return word !== bare && tellingCommands.has(word.slice(word.lastIndexOf('/') + 1));
}

/**
 * A text that begins with the end of a value (`x')`) and goes on as a query rather than as prose or code: a bracket
 * that closes nothing is not enough where names follow each other as words do.
 */
export function sqlBreakout(hit: string): boolean {
  const text = hit.slice(0, breakoutUnitsMax);
  if (/^\s*[\w@.%-]*(?:["'`\\]|%2[27])/.test(text)) return !prose.test(text);
  return /--|#|\/\*|;|\bselect\b|[<=>]\s*\(?\s*["'\d]|\bexists\b|\blike\b/i.test(text);
}

const breakoutUnitsMax = 200;

/** Two plain words in a row, none of which a query would have there. */
const prose =
  /\b(?!(?:select|from|where|and|or|not|is|null|in|like|between|union|all|by|order|group|having|limit|as|on|xor|rlike|regexp|exists|distinct|case|when|then|else|end|top|into|values|table|using|join|true|false|offset|escape|collate|binary|count|sounds)\b)[a-z]{3,}\s+(?!(?:select|from|where|and|or|not|is|null|in|like|between|union|all|by|order|group|having|limit|as|on|xor|rlike|regexp|exists|distinct|case|when|then|else|end|top|into|values|table|using|join|true|false|offset|escape|collate|binary|count|sounds)\b)[a-z]{3,}\s+[a-z]{2,}/i;

/** Units of a hit that are looked at; longer operands are no literals. */
const comparisonUnitsMax = 80;
const commandUnitsMax = 64;

/** The sides of the last comparison sign; brackets, quotes and white space still on them. */
const lastComparison = /([^\s=<>!()]+[\s()]*)(?:=|<>|!=|<=>|\blike\b)([\s()]*[^\s=<>!()]*)[^=<>]*$/i;

function operand(side: string): string {
  return side.replace(/[\s()'"`‘’“”%+]|--.*$|#.*$/g, '').toLowerCase();
}

function isNumber(text: string): boolean {
  return /^-?[0-9]+(?:\.[0-9]+)?$/.test(text);
}

const emptyExpansions = /''|""|``|\\|\^|\$\(\)|\$[$@*!0-9]|\$\{[a-z0-9@*]{0,8}\}/g;

/** Commands that tell about a machine, read its files or reach out from it: what injections are tried with. */
const tellingCommands: ReadonlySet<string> = new Set(
  (
    'awk base64 bash busybox cat certutil chmod cmd curl dig echo env find grep head hostname id ifconfig ip ipconfig ' +
    'kill ksh less ls mkdir more nc ncat netcat netstat nmap nslookup passwd perl php ping powershell printenv ps pwd ' +
    'python python3 rm ruby sh shadow sleep ssh systeminfo tac tail tasklist telnet time touch uname wget who whoami zsh'
  ).split(' '),
);
