import { describe, expect, it } from 'vitest';
import { outsideBiography, outsideByline } from '../../../src/engine/detect/surroundings.js';
import { validators } from '../../../src/engine/detect/validators.js';

const address = 'mara.lind@fjordpost.no';

/** What a check says of the first place where a text has a hit. */
function asked(check: (hit: string, text: string, start: number) => boolean, text: string, hit: string): boolean {
  const start = text.indexOf(hit);
  expect(start).toBeGreaterThanOrEqual(0);
  return check(hit, text, start);
}

describe('outsideByline', () => {
  it.each([
    ['a line of copyright', `# Copyright (c) 2014-2019 Mara Lind <${address}>`],
    ['the line beneath it', `   Copyright (C) 2009 Mara Lind\n      ${address}\n`],
    ['an author of a comment', ` * Author: Mara Lind <${address}>`],
    ['a tag of documentation', ` * @author Mara Lind <${address}>`],
    ['a name of a module', `__author__ = 'Mara Lind (${address})'`],
    ['a manifest', `  "author": "Mara Lind <${address}>",`],
    ['an object of a manifest', `  "author": {\n    "name": "Mara Lind",\n    "email": "${address}"\n  }`],
    ['a list of a manifest', `  "contributors": [\n    "Ida <ida@fjordpost.no>",\n    "Mara <${address}>"\n  ]`],
    ['a sentence', `This page was written by Mara Lind <${address}>.`],
    ['a key of a module', `author: Fjord Team (@fjord) <${address}>`],
    ['a line of its own beneath', `   Originally   compiled   by   Mara Lind\n       ⟨mailto:${address}⟩`],
    ['a line of years and a name', `           2004-2011, 2014 Mara Lind <${address}>`],
    ['a field of a record', `Upstream Authors: Ida Holm\n                  Mara Lind <${address}>\n`],
    ['a heading above', `=head1 AUTHORS\n\nIda Holm <ida@fjordpost.no>\n\nMara Lind <${address}>`],
    ['a heading of a page', `AUTHOR\n       Mara Lind <${address}>\n`],
    ['a heading of Markdown', `## Maintainers\n\n- Mara Lind <${address}>`],
    ['a heading in capitals, alone', `THANKS\n\nIda Holm\nMara Lind, ${address}\n`],
    ['a marked heading of thanks', `## Thanks to\n\n* Mara Lind <${address}>`],
    ['a comment of its own', `#!/bin/sh\n# Mara Lind <${address}>, 2021\n\nset -e`],
    ['a comment of its own without a year', `// Mara van Lind <${address}>`],
    ['a comment of an editor', `" Original Author:\tMara Lind <${address}>`],
    ['an entry in a log of changes', ` -- Mara Lind <${address}>  Mon, 08 Mar 2021 13:45:26 +0100`],
  ])('is false in %s', (_name, text) => {
    expect(asked(outsideByline, text, address)).toBe(false);
  });

  it.each([
    ['prose', `Write to Mara Lind <${address}>.`],
    ['a mail', `From: Mara Lind <${address}>\nSubject: the boat`],
    ['an entry in a log of versions', `Author: Mara Lind <${address}>\nDate: yesterday`],
    ['a comment', `# ask ${address} for the password`],
    ['what follows on another heading', `AUTHORS\n       Ida Holm\n\nSEE ALSO\n       mail ${address}`],
    ['a text far below', `AUTHORS\n${'x\n'.repeat(500)}${address}`],
    ['what follows on a list of a manifest', `  "contributors": ["Ida"],\n  "lead": "${address}"`],
    ['a line of a log with its day', `2024-03-02 Mara Lind <${address}> signed in`],
    ['a ticket', `Created by Mara Lind <${address}>`],
    ['another field', `Upstream Authors: Ida Holm\nSupport:\n   Mara Lind <${address}>\n`],
    ['nothing', address],
    ['the end of a letter', `See you soon.\n\nThanks\nMara Lind\n${address}`],
    ['a sentence beneath a line of copyright', `© 2024\nHer e-mail is ${address}.`],
    ['a sentence beneath a heading', `# Thanks\nOur customers are at ${address} and elsewhere`],
    ['a sentence with a word of it', `Compiled by the assistant: the customer is Mara Lind <${address}>`],
    ['a value behind a word of it', `maintainer: please send the invoice to ${address}`],
    ['a point of a list', `* Mara Lind <${address}>`],
    ['a comment that says more', `# Mara Lind <${address}> owes us 40 euros`],
    ['a cell in quotes', `"Mara Lind <${address}>","Oslo"`],
    ['a message of a thread', `© Fjord\nMara Lind (customers) <${address}>`],
  ])('is true in %s', (_name, text) => {
    expect(asked(outsideByline, text, address)).toBe(true);
  });

  it('looks at a bounded part of the text', () => {
    const text = `${'# author '.repeat(200_000)}\n\n\n${address}`;
    const before = performance.now();
    for (let i = 0; i < 100; i++) asked(outsideByline, text, address);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe('outsideBiography', () => {
  const day = '8 August 1981';
  it.each([
    ['Ida Holm (born 8 August 1981) is a Norwegian former skier.', false],
    ['Ida Holm is a South African painter, born 8 August 1981.', false],
    ['Born 8 August 1981 in Bergen, Ida Holm is a Norwegian skier who won twice.', false],
    ['Ida Holm, born 8 August 1981, is a patient of Dr Lind.', true],
    ['The patient was born 8 August 1981. Dr Lind is a Norwegian doctor.', true],
    ['born 8 August 1981', true],
    ['Ida Holm is a Norwegian patient, born 8 August 1981, diabetes.', true],
    ['Ida Holm is a Norwegian painter, born 8 August 1981, phone 555 0199.', true],
  ])('%s', (text, outside) => {
    expect(asked(outsideBiography, text, day)).toBe(outside);
  });
});

describe('values that are shown', () => {
  const check = (name: string) => validators.get(name) ?? expect.fail(name);
  it.each(['filled-in', 'password'])('%s: a command is none, a value in its place is', (name) => {
    expect(asked(check(name), 'Set a new password:\n\n`tokgen2 --length 20`', 'tokgen2')).toBe(false);
    expect(asked(check(name), 'The password: `tokgen2`', 'tokgen2')).toBe(true);
    expect(asked(check(name), 'Your new password:\n\n`Tok!gen2x`', 'Tok!gen2x')).toBe(true);
    expect(asked(check(name), 'Your new token:\n\n`xq7lm2zpr9vtb4kc`\n', 'xq7lm2zpr9vtb4kc')).toBe(true);
  });

  it.each([
    ['key: "Tok4gen..."', 'Tok4gen', false],
    ['key: "Tok4gen…"', 'Tok4gen', false],
    ['key: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9...', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', false],
    ['key: xq7lm2zpr9vtb4kcwn8h...', 'xq7lm2zpr9vtb4kcwn8h', true],
    ['key: xq7lm2zpr9vtb4kcwn8h...', 'xq7lm2zpr9vtb4kcwn8h...', true],
    ['key: xq7lm2...', 'xq7lm2...', false],
  ])('filled-in: a beginning is none, a whole value at the end of a sentence is: %s, %s', (text, hit, accepted) => {
    expect(asked(check('filled-in'), text, hit)).toBe(accepted);
  });

  it('password: one at the end of a sentence is one', () => {
    expect(asked(check('password'), 'The password is Tok!gen2x...', 'Tok!gen2x')).toBe(true);
  });
});

describe('no-sum', () => {
  const check = validators.get('no-sum') ?? (() => true);
  it.each([
    ['Rick has one less than three, or 3-1=2 pens on each.', 'or 3-1=2', false],
    ['He eats 4 a day, or 305*4 = 1220 in all.', 'or 305*4 = 1', false],
    ['(1/2) * (M+M) or 23 = (1/2)*2M', 'or 23 = (1', false],
    ['id=7 or 3*2=6--', 'or 3*2=6', true],
    ['id=7 or 7=7', 'or 7=7', true],
    ["x' or 3-1=2", 'or 3-1=2', true],
  ])('%s', (text, hit, accepted) => {
    expect(asked(check, text, hit)).toBe(accepted);
  });
});
