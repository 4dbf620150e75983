/**
 * An IPv4 address in dotted decimals that is globally reachable by the IANA IPv4 special-purpose address registry
 * (RFC 6890) and not multicast or reserved (RFC 5771, RFC 1112).
 */
export function ipv4Public(hit: string): boolean {
  if (!/^[0-9.]{7,15}$/.test(hit)) return false;
  const parts = hit.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^(?:0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255))
    return false;
  const address = parts.reduce((value, part) => value * 256 + Number(part), 0);
  return !specialPurpose.some(
    ([base, bits]) => Math.floor(address / 2 ** (32 - bits)) === Math.floor(base / 2 ** (32 - bits)),
  );
}

/**
 * A telephone number by its length: at most 15 digits (ITU-T E.164) and an extension; shorter than 7, or than 8 with a
 * country, are services. None that nobody has: see `isFictional`, `isFreeCall`.
 */
export function phone(hit: string): boolean {
  const [number] = hit.split(/[a-z]/i);
  const all = number.replace(/[^0-9]/g, '').replace(/^00/, '');
  if (isFictional(all) || isFreeCall(number.trim())) return false;
  const digits = all.length;
  return digits >= (/^(?:\+|00)/.test(hit) ? 8 : 7) && digits <= (hit.includes('(0)') ? 16 : 15);
}

/** Digits of a number that North America keeps for fiction or for asking for others, of one behind 555 that it cannot give, or of a run from 1 on. */
export function isFictional(digits: string): boolean {
  return /^1?(?:[2-9][0-9]{2})?555(?:01[0-9]{2}|1212)$|^1555[01][0-9]{6}$|^1234567890?$/.test(digits);
}

/**
 * Whether a number is free to call, as only services are. Told by its groups, as long digits in a row may begin with some country's code for mobile
 * telephones. Sources: the North American numbering plan, ITU-T E.169.1 (`+800`), Ofcom (0808 80: helplines), the plans of Russia, Australia, Japan.
 */
export function isFreeCall(hit: string): boolean {
  return freeCalls.some((form) => form.test(hit));
}
const freeCalls: readonly RegExp[] = [
  /^(?:\+|00)?1[ .\-/]{0,2}\(?8(?:00|33|44|55|66|77|88)(?:[ .\-/)]{0,2}[0-9]){7}$/,
  /^(?:\(8(?:00|33|44|55|66|77|88)\) ?|8(?:00|33|44|55|66|77|88)[ .-])[2-9][0-9]{2}[ .-][0-9]{4}$/,
  // 800 as a group of its own; not where the groups are those of a social security number.
  /^(?:(?:\+|00)[2-9][0-9]{0,2}[ .-]?)?(?:\(0\) ?)?\(?(?:00|0 ?)?800\)?[ .\-/](?![0-9]{2}[ .-][0-9]{4}$)(?:[ .\-/]?[0-9]){5,8}$/,
  /^(?:\+800|8[ -]?\(?800\)?)[ -](?:[ -]?[0-9]){7,8}$/,
  /^(?:1[38]00|0120)[ -](?:[ -]?[0-9]){6,7}$/,
  /^0808[ -]80[0-28][ -]?[0-9]{4}$/,
];

/** Address blocks of the registry that are not globally reachable: first address and prefix length. */
const specialPurpose: readonly (readonly [number, number])[] = (
  [
    [[0, 0, 0], 8],
    [[10, 0, 0], 8],
    [[100, 64, 0], 10],
    [[127, 0, 0], 8],
    [[169, 254, 0], 16],
    [[172, 16, 0], 12],
    [[192, 0, 0], 24],
    [[192, 0, 2], 24],
    [[192, 88, 99], 24],
    [[192, 168, 0], 16],
    [[198, 18, 0], 15],
    [[198, 51, 100], 24],
    [[203, 0, 113], 24],
    [[224, 0, 0], 3],
  ] as const
).map(([[a, b, c], bits]) => [a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8, bits]);
