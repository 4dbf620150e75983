/** Words of HTTP that routes and operations share. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Header = readonly [name: string, value: string];

/** Values of the parameters of a path by their names: as sent, not empty, not percent-decoded. */
export type PathParameters = Readonly<Record<string, string>>;

/** How people's browsers reach the service. */
export interface WebSettings {
  /** Origin of the address in their address bar, where the operator told it; else that of the `Host` header counts. */
  readonly publicOrigin?: string;
}
