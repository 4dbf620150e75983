import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './terminal.js';

/**
 * A line that somebody types at the terminal, of which nothing is shown. Ctrl-C ends the process, as a shell says of it. Throws
 * `UsageError` where the input ends before the line.
 */
export async function typedUnseen(prompt: string): Promise<string> {
  // Only where readline takes itself for a terminal does it keep the real one from showing what is typed.
  const lines = createInterface({ input: process.stdin, output: unseen(), terminal: true, historySize: 0 });
  process.stderr.write(prompt);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.on('line', resolve);
      lines.on('close', () => {
        process.stderr.write('\n');
        reject(new UsageError('standard input ended before the line did'));
      });
      lines.on('SIGINT', () => {
        lines.close();
        process.exit(130);
      });
    });
  } finally {
    lines.close();
  }
}

function unseen(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
