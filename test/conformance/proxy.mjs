// A proxy on the loopback that adds the Authorization header, which the suite has no option for. Host, Origin and
// everything else pass as they came, because the suite tests what the server says to foreign ones.
import { createServer, request } from 'node:http';

/** Starts the proxy in front of `target`; gives its address and a way to stop it. */
export async function startProxy(target, token) {
  const server = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(target);
    const options = { hostname, port, method: incoming.method, path: incoming.url };
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const onward = request({ ...options, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
