import { randomUUID } from 'node:crypto';
import { readScanSettings } from '../config.js';
import { createScanner } from '../engine/scanner.js';
import { readBuildInfo } from '../guard/build-info.js';
import { createEmbeddedScans } from '../guard/embedded.js';
import { createRedactor } from '../guard/redactor.js';
import { serveOverStdio } from '../mcp/stdio.js';
import { systemClock } from '../telemetry/clock.js';
import { createLogger } from '../telemetry/log.js';
import { loadRulesLogged } from './logged-rules.js';
import { chooseProfile } from './ruleset.js';

/**
 * `merlon mcp`: the MCP tool over standard input and output, with the engine in this process. Standard output carries
 * the protocol alone. Agents that start it wait some seconds for its first answer, so calls alone wait where rules have to
 * be compiled. Gives the exit code when the input ends. Rejects for rules that do not compile.
 */
export async function serveMcp(profileId: string): Promise<number> {
  const { engine, poolThreads, inlineUnitsMax, logLevel } = readScanSettings();
  const log = createLogger({ level: logLevel });
  const opening = loadRulesLogged(log, 'calls').then((rules) => {
    const profile = chooseProfile(rules, profileId, undefined);
    const { program } = rules;
    const build = readBuildInfo();
    const scanner = createScanner(program, { engine });
    const pool = { threads: poolThreads };
    const options = { program, profile, scanner, engine, pool, inlineUnitsMax, clock: systemClock, build };
    const { scan, close } = createEmbeddedScans(options);
    const nextCall = () => ({ requestId: randomUUID(), userId: undefined, receivedUs: systemClock.nowUs(), scan });
    return { context: { log, redact: createRedactor(scanner) }, nextCall, close };
  });
  // Nobody can be served then, and the input would keep the process.
  opening.catch(() => process.stdin.destroy());
  const served = serveOverStdio({ log, open: () => opening }, process.stdin, process.stdout);
  const { close } = await opening;
  await served;
  await close();
  return 0;
}
