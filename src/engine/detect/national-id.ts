import { digitsOf } from './digits.js';
import { cnpj, cpf, cuit, curp, mbi, rut, uyCedula } from './national-id-americas.js';
import {
  aadhaar,
  abn,
  acn,
  cnResident,
  gstin,
  hkid,
  inVehicle,
  krRrn,
  krRrnWithoutCheck,
  nric,
  tfn,
  thId,
  twId,
  uen,
} from './national-id-asia-pacific.js';
import { amka, cnp, egn, iin, inn, jmbg, nip, pesel, rodneCislo, snils } from './national-id-europe-east.js';
import { fodselsnummer, hetu, isikukood, personasKods, personnummer, pps } from './national-id-europe-north.js';
import {
  ahv,
  atVat,
  beNational,
  beVat,
  cheUid,
  codiceFiscale,
  deVat,
  dni,
  frVat,
  icaoDocument,
  kvnr,
  luVat,
  nhs,
  nir,
  rvnr,
  steuerId,
  ukDrivingLicence,
} from './national-id-europe-west.js';
import { emiratesId, tckn, zaId } from './national-id-middle-east-africa.js';

/**
 * A national number in the punctuation or with the letters of its own kind, its checksum holding: what can be told
 * from other numbers in the midst of a text, without a word for it.
 */
export function writtenNationalId(hit: string): boolean {
  return inOwnForm.some(([form, accepts]) => form.test(hit) && accepts(hit));
}

/**
 * A text that is an official number whatever its punctuation: by a form of its own, by two check digits, or by a check
 * digit and a date. For messages and fields that hold nothing else: of random runs of eleven digits some seven in a
 * hundred pass.
 */
export function nationalIdAlone(hit: string): boolean {
  if (writtenNationalId(hit) || asPrinted.some(([form, accepts]) => form.test(hit) && accepts(hit))) return true;
  return /^[0-9A-Za-z]+$/.test(hit) && unpunctuated.some((accepts) => accepts(hit));
}

type Check = (hit: string) => boolean;

const inOwnForm: readonly (readonly [RegExp, Check])[] = [
  [/^[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}$/, cpf],
  [/^[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-[0-9]{2}$/, cnpj],
  [/^[0-9]{2}-[0-9]{8}-[0-9]$/, cuit],
  [/^[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}-[0-9Kk]$/, (hit) => rut(hit) || uyCedula(hit)],
  [/^[0-9]{6}[-+][0-9]{4}$/, personnummer],
  [/^[0-9]{6}[-+A-FU-Y][0-9]{3}[0-9A-Y]$/, hetu],
  [/^[0-9]{6}-[0-9]{5}$/, personasKods],
  [/^[0-9]{6}\/[0-9]{4}$/, rodneCislo],
  [/^756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}$/, ahv],
  [/^[0-9]{3}-[0-9]{3}-[0-9]{3}[ -][0-9]{2}$/, snils],
  [/^[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}[.-][0-9]{2}$/, beNational],
  [/^784-[0-9]{4}-[0-9]{7}-[0-9]$/, emiratesId],
  [/^[0-9]-[0-9]{4}-[0-9]{5}-[0-9]{2}-[0-9]$/, thId],
  [/^[STFGM][0-9]{7}[A-Z]$/, nric],
  [/^[RST][0-9]{2}[A-Z]{2}[0-9]{4}[A-Z]$/, uen],
  [/^[A-Z]{1,2}[0-9]{6}\([0-9A]\)$/, hkid],
  [/^[A-Za-z]{6}[0-9A-Za-z]*[0-9][0-9A-Za-z]*$/, codiceFiscale],
  [/^[A-Z]{4}[0-9]{6}[HMX][0-9A-Z]{7}$/, curp],
  [/^[0-3][0-9][A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]{3}$/, gstin],
  [/^DE[ .-]?[0-9]{3}[ .-]?[0-9]{3}[ .-]?[0-9]{3}$/i, deVat],
  [/^ATU ?[0-9]{8}$/, atVat],
  [/^BE ?[01][0-9]{3}[ .]?[0-9]{3}[ .]?[0-9]{3}$/, beVat],
  [/^CHE-?[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}$/, cheUid],
  [/^FR ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}$/, frVat],
  [/^LU ?[0-9]{8}$/, luVat],
  [/^[0-9][A-Za-z][0-9A-Za-z][0-9]-[A-Za-z][0-9A-Za-z][0-9]-[A-Za-z]{2}[0-9]{2}$/, mbi],
  [/^[A-Z]{5}[0-9]{6}[A-Z9]{2}[0-9][A-Z]{2}$/, ukDrivingLicence],
  [/^[0-9]{2} [0-9]{6} [A-Z] ?[0-9]{3}$/, rvnr],
  [/^[1-478] [0-9]{2} [0-9]{2} [0-9][0-9AB] [0-9]{3} [0-9]{3} ?[0-9]{2}$/, nir],
  // Without a check digit, but grouped and lettered as nothing else is.
  [/^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: [0-9]{2}){3} [A-D]$/, (hit) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(hit)],
  [/^[XYZ]-?[0-9]{7}-?[A-Z]$/, dni],
  [/^[0-9]{8}-?[A-Z]$/, dni],
];

/** Strong enough without punctuation: letters, two check digits, or a check digit beside a date. */
const unpunctuated: readonly Check[] = [
  ...[cpf, cnpj, curp, mbi, gstin, hkid, nric, twId, cnResident, krRrn, aadhaar, abn, codiceFiscale, dni, nir, pps],
  ...[steuerId, kvnr, icaoDocument, ukDrivingLicence, deVatWithCountry, ahv, beNational, fodselsnummer, isikukood],
  ...[amka, cnp, egn, iin, jmbg, pesel, snils, tckn, zaId, emiratesId, innOfPerson],
];

/** Grouped as on the paper: enough for one check digit, or a date, where the hit is all there is. */
const asPrinted: readonly (readonly [RegExp, Check])[] = [
  [/^[0-9]{3}[ -][0-9]{3}[ -][0-9]{4}$/, nhs],
  [/^[0-9]{3} [0-9]{3} [0-9]{3}$/, (hit) => tfn(hit) || acn(hit)],
  [/^[0-9]{3}-[0-9]{3}-[0-9]{2}-[0-9]{2}$/, nip],
  [/^[0-9]{4}[ :-][0-9]{4}[ :-][0-9]{4}$/, aadhaar],
  [/^[0-9]{2} [0-9]{3} [0-9]{3} [0-9]{3}$/, (hit) => abn(hit) || steuerId(hit)],
  [/^[0-9]{6} [0-9]{5}$/, fodselsnummer],
  [/^[0-9]{6}-[0-9]{7}$/, (hit) => krRrn(hit) || krRrnWithoutCheck(hit)],
  [/^[0-9]{8,9}[A-Z]$/, uen],
  [/^[A-Z]{2}[0-9]{1,2}[A-Z]{1,3}[0-9]{4}$/, inVehicle],
  // A German tax number as its office writes it: its check digits differ from state to state.
  [/^(?:[0-9]{2,3}\/[0-9]{3}\/[0-9]{5}|[0-9]{3}\/[0-9]{4}\/[0-9]{4})$/, () => true],
];

function deVatWithCountry(hit: string): boolean {
  return /^de/i.test(hit) && deVat(hit);
}

function innOfPerson(hit: string): boolean {
  return digitsOf(hit).length === 12 && inn(hit);
}
