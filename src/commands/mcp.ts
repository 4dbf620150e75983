import { randomUUID } from 'node:crypto';
import { readConfig } from '../config.js';
import { createScanner } from '../engine/scanner.js';
import { readBuildInfo } from '../guard/build-info.js';
import { createEmbeddedScans } from '../guard/embedded.js';
import { createInspector } from '../guard/inspector.js';
import { createRedactor } from '../guard/redactor.js';
import { serveOverStdio } from '../mcp/stdio.js';
import { createPool, type Pool } from '../pool/pool.js';
import { systemClock } from '../telemetry/clock.js';
import { createLogger } from '../telemetry/log.js';
import { chooseProfile, loadRules } from './ruleset.js';

/**
 * `merlon mcp`: the MCP tool over standard input and output, with the engine in this process. Standard output carries
 * the protocol alone. Gives the exit code when the input ends.
 */
export async function serveMcp(profileId: string): Promise<number> {
  const config = readConfig();
  const rules = loadRules(config.rulesFolder);
  const profile = chooseProfile(rules, profileId, undefined);
  const { program } = rules;
  const { engine } = config;
  let pool: Pool | undefined;
  const startPool = () => {
    pool ??= createPool({ program: program.memory, profiles: [profile], engine, threads: config.poolThreads });
    return pool;
  };
  const scanner = createScanner(program, { engine });
  const inspector = createInspector(scanner, startPool, config.inlineUnitsMax);
  const { scan } = createEmbeddedScans(program, profile, inspector, systemClock, readBuildInfo());
  const context = {
    clock: systemClock,
    log: createLogger({ level: config.logLevel }),
    redact: createRedactor(scanner),
  };
  const nextCall = () => ({
    requestId: randomUUID(),
    userId: undefined,
    receivedUs: systemClock.nowUs(),
    scan,
  });
  await serveOverStdio(context, nextCall, process.stdin, process.stdout);
  await pool?.close();
  return 0;
}
