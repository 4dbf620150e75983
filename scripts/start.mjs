// `npm start`: sets up what is needed, then serves in this process. Arguments go to `merlon serve`.
import { setUp } from './setup.mjs';

setUp();
const cli = new URL('../dist/cli.js', import.meta.url);
process.argv = [process.argv[0], cli.pathname, 'serve', ...process.argv.slice(2)];
await import(cli.href);
