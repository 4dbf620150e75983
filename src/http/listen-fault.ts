import { createServer } from 'node:net';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use by another process',
  EACCES: 'this user may not use that port, which those below 1024 often want a privilege for',
  EADDRNOTAVAIL: 'the address is not one of this machine',
  ENOTFOUND: 'the name has no address',
};

/** Why nothing can listen there, in a few words. The library of the front end does not tell, so Node tries the same. */
export function findListenFault(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code = 'unknown failure' }: NodeJS.ErrnoException) => resolve(reasons[code] ?? code));
    // It was so a moment ago, or only that library minds.
    server.listen({ host, port, exclusive: true }, () =>
      server.close(() => resolve('it was refused, for no known reason')),
    );
  });
}
