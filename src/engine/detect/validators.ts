import { btc } from './crypto-address.js';
import { constantComparison, hiddenCommand } from './injection.js';
import { cnpj, cpf, sin, usSsn } from './national-id-americas.js';
import { aadhaar, cnResident, jpMyNumber, krRrn, tfn } from './national-id-asia-pacific.js';
import { bsn, codiceFiscale, dni, nhs, nir, pesel, steuerId } from './national-id-europe.js';
import { email, ipv4Public } from './network.js';
import { card, iban, luhn, usAba } from './payment.js';
import { entropyOf, githubChecksum, mixed } from './token.js';

/**
 * Checks of a hit by the name that rules call them (`validate:`; the table in `rules/README.md`). All are pure,
 * keep no state and look at a bounded part of the hit.
 */
export const validators: ReadonlyMap<string, (hit: string) => boolean> = new Map([
  ['luhn', luhn],
  ['card', card],
  ['iban', iban],
  ['us-ssn', usSsn],
  ['us-aba', usAba],
  ['cpf', cpf],
  ['cnpj', cnpj],
  ['dni', dni],
  ['codice-fiscale', codiceFiscale],
  ['nir', nir],
  ['steuer-id', steuerId],
  ['nhs', nhs],
  ['bsn', bsn],
  ['pesel', pesel],
  ['aadhaar', aadhaar],
  ['sin', sin],
  ['tfn', tfn],
  ['cn-resident', cnResident],
  ['kr-rrn', krRrn],
  ['jp-my-number', jpMyNumber],
  ['btc', btc],
  ['ipv4-public', ipv4Public],
  ['email', email],
  ['github-checksum', githubChecksum],
  ['entropy-3', entropyOf(3)],
  ['entropy-3.5', entropyOf(3.5)],
  ['entropy-4', entropyOf(4)],
  ['mixed', mixed],
  ['constant-comparison', constantComparison],
  ['hidden-command', hiddenCommand],
]);
