// Completes package-lock.json: `npm install` leaves out optional packages that the registry in use does not carry
// (binaries for other platforms), and `npm ci` then refuses its own lock file. Each missing one is entered with the
// version that its parent asks for and the platform that its name tells, so that it is skipped everywhere else.
// Run after every `npm install`. With --check it only counts what is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'aix'];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32'];

let total = 0;
let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(path === '' ? {} : (entry.optionalDependencies ?? {}))) {
    total++;
    if (lock.packages[`${path}/node_modules/${name}`] || lock.packages[`node_modules/${name}`]) continue;
    lock.packages[`node_modules/${name}`] = placeholder(name, version, entry);
    added++;
  }
}

if (process.argv.includes('--check')) {
  process.stdout.write(`${total} optional packages, ${added} missing\n`);
  process.exit(added > 0 ? 1 : 0);
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${total} optional packages, ${added} entered\n`);

function placeholder(name, version, parent) {
  const words = name.split(/[-/]/);
  const os = systems.filter((system) => words.includes(system) || (system === 'linux' && /linux/.test(name)));
  const cpu = processors.filter((processor) => words.includes(processor) || words.includes(`${processor}hf`));
  const libc = ['musl', 'musleabihf'].some((word) => words.includes(word))
    ? ['musl']
    : /gnu/.test(name)
      ? ['glibc']
      : [];
  if (os.length === 0 && cpu.length === 0) throw new Error(`${name} does not tell its platform`);
  return {
    version: version.replace(/^[^\d]*/, ''),
    ...(parent.dev ? { dev: true } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(libc.length > 0 ? { libc } : {}),
  };
}
