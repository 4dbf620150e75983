/** A running front end. */
export interface HttpServer {
  readonly host: string;
  /** The port that is listened on, also where 0 was asked for. */
  readonly port: number;
  /**
   * Refuses new requests with 503, lets the running ones finish (at most `drainMs`), then closes everything.
   * Further calls give the same promise.
   */
  drain(): Promise<void>;
  /** Closes everything at once; running requests are cut off. Idempotent. */
  close(): void;
}
