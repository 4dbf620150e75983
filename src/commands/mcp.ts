import { randomUUID } from 'node:crypto';
import { readConfig } from '../config.js';
import { createScanner } from '../engine/scanner.js';
import { readBuildInfo } from '../guard/build-info.js';
import { createEmbeddedScans } from '../guard/embedded.js';
import { createRedactor } from '../guard/redactor.js';
import { serveOverStdio } from '../mcp/stdio.js';
import { systemClock } from '../telemetry/clock.js';
import { createLogger } from '../telemetry/log.js';
import { chooseProfile, loadRules } from './ruleset.js';

/**
 * `merlon mcp`: the MCP tool over standard input and output, with the engine in this process. Standard output carries
 * the protocol alone. Gives the exit code when the input ends.
 */
export async function serveMcp(profileId: string): Promise<number> {
  const config = readConfig();
  const rules = loadRules();
  const profile = chooseProfile(rules, profileId, undefined);
  const { program } = rules;
  const { engine } = config;
  const scanner = createScanner(program, { engine });
  const { poolThreads, inlineUnitsMax } = config;
  const build = readBuildInfo();
  const scans = createEmbeddedScans({
    program,
    profile,
    scanner,
    engine,
    poolThreads,
    inlineUnitsMax,
    clock: systemClock,
    build,
  });
  const context = {
    clock: systemClock,
    log: createLogger({ level: config.logLevel }),
    redact: createRedactor(scanner),
  };
  const nextCall = () => ({
    requestId: randomUUID(),
    userId: undefined,
    receivedUs: systemClock.nowUs(),
    scan: scans.scan,
  });
  await serveOverStdio(context, nextCall, process.stdin, process.stdout);
  await scans.close();
  return 0;
}
