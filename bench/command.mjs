// What the commands of the benchmarks share: options, messages, the record that they print.
import { existsSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ordinary = fileURLToPath(new URL('../rules/lists/ordinary.jsonl', import.meta.url));

/** Options, or the exit code where there is nothing to run. `more` are those that only one benchmark has. */
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
    return existsSync(values.data) ? values : refuse(`--data: there is no file ${values.data}`);
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}`);
    return 2;
  }
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
