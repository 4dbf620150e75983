// What the commands of the benchmarks share: options, messages, the record that they print.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ordinary = fileURLToPath(new URL('../rules/lists/ordinary.jsonl', import.meta.url));

/** Options, with `ordinary` texts, or the exit code where there is nothing to run. `more` are those that only one benchmark has. */
export function readOptions(args, usage, more = {}) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        json: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        data: { type: 'string', default: ordinary },
        'no-install': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        ...more,
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    return withTexts(values);
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}`);
    return 2;
  }
}

/** The options with the `ordinary` texts of `--data`, which are read before anything starts, or the exit code where there are none. */
function withTexts(options) {
  const { texts: ordinary, wrong } = readTexts(options.data);
  return wrong === undefined ? { ...options, ordinary } : refuse(`--data: ${wrong}`);
}

/**
 * Reads ordinary texts, one JSON object with `text` a line, and `lang` where it is not English; lines without a text are
 * passed over. `wrong` says why there are none.
 * @returns {{ texts: Ordinary[], wrong?: string }}
 * @typedef {{ text: string, lang: string }} Ordinary
 */
function readTexts(file) {
  if (!existsSync(file)) return { texts: [], wrong: `there is no file ${file}` };
  let lines;
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    return { texts: [], wrong: `${file} cannot be read (${error.code ?? error.message})` };
  }
  const texts = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    let value;
    try {
      value = JSON.parse(line);
    } catch {
      value = undefined;
    }
    if (typeof value !== 'object' || value === null)
      return { texts: [], wrong: `${file}:${index + 1} is no JSON object` };
    const { text, lang = 'en' } = value;
    if (typeof text === 'string' && text !== '') texts.push({ text, lang });
  }
  return texts.length > 0 ? { texts } : { texts, wrong: `no line of ${file} has a text` };
}

/** `results` and the rest of what was measured as JSON, with the report on standard error; or the report alone. */
export function print(isJson, commit, measured, report) {
  if (!isJson) {
    process.stdout.write(report);
    return;
  }
  const cpu = cpus()[0]?.model.trim() ?? 'unknown';
  const machine = `${cpu}, ${availableParallelism()} threads, ${process.platform} ${process.arch}, Node ${process.version}`;
  process.stdout.write(`${JSON.stringify({ machine, commit, ...measured }, null, 2)}\n`);
  process.stderr.write(report);
}

/** Says why there is nothing to run; the exit code of that. */
export function refuse(why) {
  say(why);
  return 2;
}

export function say(text) {
  process.stderr.write(`bench: ${text}\n`);
}
