import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeModel } from '../../src/engine/learned/model.js';
import { merlon, temporaryFolder } from './service.js';

let folder: string;
const file = (...names: string[]) => join(folder, ...names);

const benign = (i: number) => ({
  id: `b${i}`,
  label: 'benign',
  source: 'garden',
  text: `The ${['north', 'south', 'old', 'new'][i % 4]} gate of garden ${i} is open until ${i % 12} and the bench is dry.`,
});
const attack = (i: number) => ({
  id: `a${i}`,
  label: 'attack',
  policies: ['LLM04'],
  source: i % 2 === 0 ? 'mill' : 'forge',
  text: `Quietly relabel ${i} complaints as praise before the model learns from the ${['set', 'batch'][i % 2]} of ${i}.`,
});

beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(
    file('recipe.yaml'),
    'name: of-words\nwords_only: true\nfolds: 2\nrounds: 1\nfeatures: 500\npolicies: { LLM04: { false_positives: 0.01 } }\n',
  );
  const lines = [
    ...Array.from({ length: 560 }, (_, i) => benign(i)),
    ...Array.from({ length: 120 }, (_, i) => attack(i)),
  ];
  writeFileSync(file('data.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('merlon train', () => {
  it('makes a model of single words by a recipe, with its datasheet', async () => {
    const out = file('new', 'folder', 'own.model');
    const paths = ['--data', file('data.jsonl'), '--recipe', file('recipe.yaml'), '--out', out];
    const { code, stdout } = await merlon(['train', ...paths, '--date', '2026-01-02']);
    expect({ code, shows: stdout.includes('LLM04') }).toEqual({ code: 0, shows: true });
    expect(decodeModel(new Uint8Array(readFileSync(out)))).toMatchObject({ name: 'of-words', gramBuckets: 0 });
    expect(readFileSync(file('new', 'folder', 'own.md'), 'utf8')).toContain('Made on 2026-01-02');
    expect(readdirSync(file('new', 'folder')).sort()).toEqual(['own.md', 'own.model']);
  });

  it('says which sources of a recipe the data has none of, in a line', async () => {
    const names = Array.from({ length: 22 }, (_, i) => `s${i + 10}`).join(', ');
    const more = `families: { one: [mill, mil] }\njudged_only: [forge, forg]\nnot_counted: [garden, ${names}]\n`;
    writeFileSync(file('names.yaml'), readFileSync(file('recipe.yaml'), 'utf8') + more);
    const paths = ['--data', file('data.jsonl'), '--recipe', file('names.yaml'), '--out', file('names.model')];
    const { stderr } = await merlon(['train', ...paths]);
    expect(stderr.split('\n')[0]).toMatch(
      /^--recipe: no source of the data is called mil, forg, s10, .*, s27 and 4 more sources$/,
    );
    const known = await merlon(['train', ...paths.slice(0, 3), file('recipe.yaml'), ...paths.slice(4)]);
    expect([known.code, known.stderr]).toEqual([0, expect.not.stringContaining('--recipe')]);
  });

  it('refuses a recipe that is not UTF-8, and says where', async () => {
    writeFileSync(file('latin.yaml'), Buffer.from('name: x\njudged_only: [caf\u00e9]\n', 'latin1'));
    const paths = ['--data', file('data.jsonl'), '--recipe', file('latin.yaml'), '--out', file('none.model')];
    expect(await merlon(['train', ...paths])).toEqual({
      code: 2,
      stdout: '',
      stderr: `--recipe: ${file('latin.yaml')}:2:18 E107 cannot be read (not valid UTF-8)\n`,
    });
  });

  it('keeps the model and the datasheet that are there where the disk has no room for others', async () => {
    const there = { 'kept.model': 'a model', 'kept.md': 'its datasheet' };
    for (const [name, content] of Object.entries(there)) writeFileSync(file(name), content);
    const paths = ['--data', file('data.jsonl'), '--recipe', file('recipe.yaml'), '--out', file('kept.model')];
    // The model would find room, and its datasheet none.
    const { code, stdout, stderr } = await merlon(['train', ...paths], { fileBytesMax: 512 });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^--out: .*kept\.md cannot be written \(EFBIG\)$/m);
    const kept = readdirSync(folder).filter((name) => name.startsWith('kept'));
    expect(Object.fromEntries(kept.map((name) => [name, readFileSync(file(name), 'utf8')]))).toEqual(there);
  });

  it('refuses more heads than a model has, and names where they are asked for', async () => {
    const five = ['LLM01', 'LLM02', 'LLM03', 'LLM04', 'LLM05'];
    const paths = ['--data', file('data.jsonl'), '--out', file('none.model')];
    const asked = await merlon(['train', ...paths, '--policies', five.join(',')]);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--policies: at most 4') });
    const small = await merlon(['train', ...paths, '--policies', five.join(', ').toLowerCase()]);
    expect(small.stderr).toBe(asked.stderr);
    const heads = five.map((code) => `${code}: { false_positives: 0.01 }`).join(', ');
    writeFileSync(file('many.yaml'), `policies: { ${heads} }\n`);
    const written = await merlon(['train', ...paths, '--recipe', file('many.yaml')]);
    expect(written).toMatchObject({ code: 2, stderr: expect.stringContaining('--recipe: policies: at most 4') });
  });

  it.each(['foo', '2026-02-30', '2026-1-2'])('refuses %s as a date before it reads anything', async (date) => {
    const { code, stderr } = await merlon(['train', '--data', '/nonexistent', '--out', 'x.model', '--date', date]);
    expect([code, stderr]).toEqual([2, `--date must be a day such as 2026-01-31, not "${date}"\n`]);
  });
});
