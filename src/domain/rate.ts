/** So many requests in so many seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}
