// `npm run bench`: sets up what is needed, then runs the benchmarks. Arguments go to `merlon bench`.
import { setUp } from './setup.mjs';

setUp();
const cli = new URL('../dist/cli.js', import.meta.url);
process.argv = [process.argv[0], cli.pathname, 'bench', ...process.argv.slice(2)];
await import(cli.href);
