import { isFictional, isFreeCall } from './network.js';

/**
 * A value that can be somebody's number where its name stands before it: five digits or more, or four beside letters,
 * that are no date, no two years, no word with a number, decimal, version, UUID or part of one, hash or address, not one digit repeated and neither a run such as 123456789 nor a list of more than nine numbers.
 */
export function identifier(hit: string): boolean {
  if (
    hit.length > hitUnitsMax ||
    dateOrYears.test(hit) ||
    machineMade.test(hit) ||
    noNumber.test(hit) ||
    shortHash.test(hit) ||
    hit.split(' ').length > groupsMax
  )
    return false;
  const digits = hit.replace(/\P{Nd}/gu, '');
  const letters = /[A-Za-z]/.test(hit);
  if (!letters && (isFictional(digits) || isFreeCall(hit))) return false;
  if (digits.length < (letters ? digitsBesideLettersMin : digitsMin)) return false;
  let steps = 0;
  for (let i = 1; i < digits.length; i++) {
    const step = digits.charCodeAt(i) - digits.charCodeAt(i - 1);
    if (step === 1 || step === 0 || step === -9) steps++;
  }
  return steps < digits.length - 1;
}

const hitUnitsMax = 64;
const groupsMax = 9;
const digitsMin = 5;
const digitsBesideLettersMin = 4;
/** Words with a number behind them, UUIDs or their beginnings, hashes, addresses in memory and in networks, versions, numbers of chapters, decimals. */
const machineMade =
  /^(?:0x|v[0-9]{1,4}(?:[.-]|$)|[a-z]{5,}[0-9]{1,4}$|[0-9]+\.[0-9]{1,2}$|0\.[0-9]+$|[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?:\/[0-9]+)?$|[0-9]{1,2}(?:\.[0-9]){2,5}$|[0-9a-f]{8}-[0-9a-f]{4}-|(?:[0-9a-f]{4}-){1,3}[0-9a-f]{12}$|(?=[0-9]*[a-f])[0-9a-f]{16,}$)/i;
/** A hash cut short, as in commits: letters between digits, none of them a capital. */
const shortHash = /^(?=[0-9]*[a-f]+[0-9]+[a-f]+[0-9])[0-9a-f]{7,15}$/;
/** Measures, numbers in thousands, years of a life before the year 1100, dates behind something, samples of manuals. */
const noNumber =
  /^[0-9]+x[0-9]+$|^[0-9]{1,3}[.,]000$|^[89][0-9]{2}-1[01][0-9]{2}$|[ ](?:19|20)[0-9]{2}[-/][0-9]{2}[-/][0-9]{2}\b|example|a1b2c3d4/i;
const dateOrYears =
  /^(?:(?:19|20)[0-9]{2}[-/. ](?:[01]?[0-9][-/. ][0-3]?[0-9](?![0-9])|(?:19|20)[0-9]{2}(?![0-9]))|[0-3]?[0-9][-/. ][01]?[0-9][-/. ](?:19|20)?[0-9]{2}(?![0-9.-]| [0-9]{2} [0-9]{2}))/;
