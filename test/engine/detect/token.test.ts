import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../../src/engine/detect/checksum.js';
import { validators } from '../../../src/engine/detect/validators.js';

/** `0x` + forty hex digits, made from a word so that no file holds a whole token. */
const filler = createHash('sha256').update('merlon').digest('hex');

const cases: readonly [validator: string, hit: string, accepted: boolean][] = [
  ['btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', true],
  ['btc', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', true],
  ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', true],
  ['btc', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', true],
  ['btc', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', true],
  ['btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', false],
  ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', false],
  ['btc', 'bc1Qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', false],
  ['btc', '1111111111111111111111111111', false],
  // Dogecoin, Litecoin, Tron, Dash; no coin has version 99.
  ['btc', 'DGjKznFRJbAcHNeZ1KCeUdV6dVSGoXMkh8', true],
  ['btc', 'LTVUseyNUNNysB7PkhJj4ZYmMuJoZn3QAC', true],
  ['btc', 'TXadvTUUHoxM3Ko62TLgZmjJoC81B41TKP', true],
  ['btc', 'XfUMSEzyVbZ4UKAFjigLSnQYuMeTbWABHA', true],
  ['btc', 'gxCJiJhkY3JqJEn893g5gxAjTbX848pxeJ', false],
  ['ipv4-public', '8.8.8.8', true],
  ['ipv4-public', '100.128.0.1', true],
  ['ipv4-public', '172.32.0.1', true],
  ['ipv4-public', '223.255.255.254', true],
  ['ipv4-public', '10.1.2.3', false],
  ['ipv4-public', '172.16.0.1', false],
  ['ipv4-public', '192.168.1.1', false],
  ['ipv4-public', '127.0.0.1', false],
  ['ipv4-public', '169.254.10.10', false],
  ['ipv4-public', '100.64.0.1', false],
  ['ipv4-public', '203.0.113.9', false],
  ['ipv4-public', '224.0.0.1', false],
  ['ipv4-public', '255.255.255.255', false],
  ['ipv4-public', '256.1.1.1', false],
  ['ipv4-public', '8.8.8.08', false],
  ['ipv4-public', '8.8.8', false],
  ['email', 'mara.lind@fjordpost.no', true],
  ['email', 'a+b@sub.domain.co.uk', true],
  ['email', 'user@example.com', false],
  ['email', 'user@mail.example.org', false],
  ['email', 'user@service.test', false],
  ['email', 'user@printer.local', false],
  ['email', '.user@fjordpost.no', false],
  ['email', 'us..er@fjordpost.no', false],
  ['email', 'user@-fjordpost.no', false],
  ['email', 'user@fjordpost', false],
  ['email', '@fjordpost.no', false],
  ['email', 'imran.akbar@fjordpost.no', true],
  ['email', 'j.contest@fjordpost.no', true],
  ['email', 'vivian.lyou@fjordpost.no', true],
  ['email', 'a.jsmith@fjordpost.no', true],
  ['email', 'robert.pyle@fjordpost.no', true],
  ['email', 'anna+support@fjordpost.no', true],
  ['email', 'juan@correo.com.py', true],
  ['email', 'mara@basket.py', false],
  ['email', 'bar@fjordpost.no', false],
  ['email', 'test+1@fjordpost.no', false],
  ['email', 'IT-Support@fjordpost.no', false],
  ['email', 'order.noreply@fjordpost.no', false],
  ['email', 'user@domain.tld', false],
  ['email', 'mara@yourcompany.no', false],
  ['email', 'mara@pear.jpeg', false],
  ['entropy-3', 'aaaaaaaaaaaaaaaa', false],
  ['entropy-3', 'abcdefgh', true],
  ['entropy-3', 'abcdefg', false],
  ['entropy-3.5', 'abcdefghijk', false],
  ['entropy-3.5', 'abcdefghijkl', true],
  ['entropy-4', '0123456789abcdef', true],
  ['entropy-4', '0123456789abcde', false],
  ['mixed', 'k9Tz4qLm', true],
  ['mixed', 'hunter2', true],
  ['mixed', 'пароль77', true],
  ['mixed', 'password', false],
  ['mixed', '20250101', false],
  ['mixed', 'a1a1a1a1', false],
  ['mixed', 'abcdefgh1234', false],
  ['mixed', '', false],
  ['random', 'w5fruZ_8ZUsgYLu8vwgb3yKsgMna3uIF9Oa4', true],
  ['random', 'dd66b4a717b58f4a', true],
  ['random', 'qXzKjVwPbTgR', true],
  ['random', 'get_user_token_2', false],
  ['random', 'your-api-key-goes-here-123', false],
  ['random', 'thisismypassword', false],
  ['random', '12345678901234567890', false],
  ['random', 'k9', false],
  ['random', '', false],
  ['github-checksum', `ghp_${filler.slice(0, 36)}`, false],
  ['github-checksum', 'ghp_short', false],
];

describe('token, address and network validators', () => {
  it.each(cases)('%s of "%s" is %s', (validator, hit, accepted) => {
    expect(validators.get(validator)?.(hit)).toBe(accepted);
  });

  it('accepts exactly one suffix of a GitHub token', () => {
    const accepts = validators.get('github-checksum');
    const body = filler.slice(0, 30);
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    let rest = zlibCrc32(body);
    let suffix = '';
    for (let i = 0; i < 6; i++) {
      suffix = digits[rest % 62] + suffix;
      rest = Math.floor(rest / 62);
    }
    expect(accepts?.(`ghp_${body}${suffix}`)).toBe(true);
    expect(accepts?.(`ghp_${body}${suffix.slice(0, 5)}${suffix[5] === '0' ? '1' : '0'}`)).toBe(false);
  });

  it('agrees with zlib on CRC-32', () => {
    fc.assert(fc.property(fc.string({ maxLength: 64 }), (text) => crc32(text) === zlibCrc32(text)));
  });

  it('has exactly the validators that the authoring guide lists', () => {
    const guide = readFileSync(new URL('../../../rules/README.md', import.meta.url), 'utf8');
    const table = guide.slice(guide.indexOf('### Validators'), guide.indexOf('## Profiles'));
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((row) => [...row.split('|')[1].matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect([...validators.keys()].sort()).toEqual(listed.sort());
  });
});
