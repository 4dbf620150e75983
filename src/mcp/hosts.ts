/**
 * Whom a request may be addressed to (`Host`) and which page may have sent it (`Origin`): the defence against DNS
 * rebinding, by which a web page talks to a server on its visitor's machine under a name of the page's own.
 */
export interface HostCheck {
  /** In words what is foreign about a request; undefined when nothing is. `host` and `origin` are header values. */
  foreign(host: string | undefined, origin: string | undefined): string | undefined;
}

const loopback: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Loopback names and `allowed` are ours. A service that listens on another address and has been told no names cannot
 * know by which one it is reached: it takes any `Host`, and an `Origin` only where that names the same host.
 */
export function createHostCheck(listenHost: string, allowed: readonly string[]): HostCheck {
  const names = new Set([...loopback, ...allowed.map((name) => name.toLowerCase())]);
  const own = listenHost.includes(':') ? `[${listenHost}]` : listenHost.toLowerCase();
  const open = allowed.length === 0 && !loopback.includes(own);
  if (!open) names.add(own);
  return {
    foreign: (host, origin) => {
      const hostName = nameOf(host ?? '');
      if (!open && (hostName === undefined || !names.has(hostName))) return 'The Host header names another server.';
      if (origin === undefined) return undefined;
      const originName = originHost(origin);
      const known = originName !== undefined && (open ? originName === hostName : names.has(originName));
      return known ? undefined : 'The Origin header names a page of another server.';
    },
  };
}

const hostShape = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d{1,5})?$/i;

/** The host of `host[:port]`, in lower case. */
function nameOf(authority: string): string | undefined {
  return hostShape.exec(authority)?.[1].toLowerCase();
}

function originHost(origin: string): string | undefined {
  const authority = /^https?:\/\/(.*)$/i.exec(origin)?.[1];
  return authority === undefined ? undefined : nameOf(authority);
}
