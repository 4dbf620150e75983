// The servers that Merlon is measured against, each in a process of its own: `node servers.mjs NAME` listens on a free
// port and prints it as JSON. They read and parse a JSON body and answer JSON of the size of a verdict.
import { createServer } from 'node:http';

const answer = (messages) => ({ flagged: messages.length === 0 });

/** uWebSockets.js as fast as it goes while it still does what an echo must: collect the body, parse it, answer JSON. */
async function uwsServer(verdict) {
  const uws = await import('uWebSockets.js');
  const app = uws.App().post('/*', (response) => {
    let collected;
    response.onAborted(() => {});
    response.onData((chunk, isLast) => {
      const part = Buffer.from(chunk);
      if (!isLast) {
        // The chunk's memory goes back after this call.
        collected = collected ? Buffer.concat([collected, part]) : Buffer.from(part);
        return;
      }
      const { messages } = JSON.parse((collected ? Buffer.concat([collected, part]) : part).toString());
      const body = JSON.stringify(verdict(messages));
      response.cork(() => response.writeHeader('Content-Type', 'application/json').end(body));
    });
  });
  app.listen('127.0.0.1', 0, (socket) => tell(uws.us_socket_local_port(socket)));
}

function nodeServer() {
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(parts).toString());
      const body = JSON.stringify(answer(messages));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => tell(/** @type {import('node:net').AddressInfo} */ (server.address()).port));
}

async function fastifyServer() {
  const { default: fastify } = await import(new URL('../rivals/node_modules/fastify/fastify.js', import.meta.url).href);
  const app = fastify({ bodyLimit: 4 * 1024 * 1024 });
  app.post('/api/v1/guard', (request) => answer(request.body.messages));
  await app.listen({ port: 0, host: '127.0.0.1' });
  tell(app.server.address().port);
}

/** The library behind the bare server: what the scan alone costs, without token, checks, record and metrics. */
async function scanServer() {
  const { createGuard } = await import('../../dist/index.js');
  const guard = await createGuard();
  await uwsServer((messages) => guard.scanSync(messages));
}

/** The service whose records go nowhere: everything but the store's writing. */
async function unrecordedServer(dataFolder) {
  const [{ readConfig }, { bootstrap }, { startService }, { openLmdbStore }, { createLogger }, { loadRules }] =
    await Promise.all(
      ['config', 'guard/bootstrap', 'main', 'store/lmdb/lmdb-store', 'telemetry/log', 'commands/ruleset'].map(
        (name) => import(`../../dist/${name}.js`),
      ),
    );
  const config = readConfig({ port: '0', data: dataFolder });
  const store = openLmdbStore(config.dataFolder);
  await bootstrap(store, { token: config.bootstrapToken, now: Date.now() });
  const kept = Promise.resolve(true);
  const scans = new Proxy(store.scans, {
    get: (target, name) => (name === 'append' ? () => kept : bindMethod(target, name)),
  });
  const unrecorded = new Proxy(store, {
    get: (target, name) => (name === 'scans' ? scans : bindMethod(target, name)),
  });
  const log = createLogger({ level: config.logLevel });
  const { port } = await startService(config, loadRules(config.rulesFolder), unrecorded, log);
  tell(port);
}

function bindMethod(target, name) {
  const value = target[name];
  return typeof value === 'function' ? value.bind(target) : value;
}

function tell(port) {
  process.stdout.write(`${JSON.stringify({ port })}\n`);
}

const servers = {
  uws: () => uwsServer(answer),
  node: nodeServer,
  fastify: fastifyServer,
  scan: scanServer,
  unrecorded: unrecordedServer,
};
await servers[process.argv[2]](process.argv[3]);
