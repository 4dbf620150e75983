import type { ListenOptions, us_listen_socket } from 'uWebSockets.js';

/** What the library has and its own types leave out. */
declare module 'uWebSockets.js' {
  interface TemplatedApp {
    listen(
      host: string,
      port: number,
      options: ListenOptions,
      done: (socket: us_listen_socket | false) => void,
    ): TemplatedApp;
    /** Names the application to those of other threads of the process; can be posted to them. */
    getDescriptor(): AppDescriptor;
    /**
     * From now on connections are dealt out in turn to the applications that were added, and to no others: also to itself
     * only if it was added.
     */
    addChildAppDescriptor(descriptor: AppDescriptor): TemplatedApp;
  }
  /** Opaque. */
  type AppDescriptor = number;
  /** Without it two processes share a port, each getting some of the connections. */
  const LIBUS_LISTEN_EXCLUSIVE_PORT: ListenOptions;
}

/** Largest head of a request, in bytes: beyond it uWebSockets.js answers 431 and closes. Its default is 4 KiB. */
export const headBytesMax = 16 * 1024;

/**
 * Loads uWebSockets.js. It takes the limit on heads from the environment at the moment when it is loaded, and offers
 * no other way to set it; hence the one write to `process.env`, and the import at run time after it. Must be called
 * on the main thread first: worker threads write to a copy of the environment that native code does not see.
 */
export async function loadUws(): Promise<typeof import('uWebSockets.js')> {
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(headBytesMax);
  return await import('uWebSockets.js');
}
