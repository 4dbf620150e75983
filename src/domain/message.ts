/** One chat turn. `role` is any non-empty string; `content` is the text as sent and is never altered. */
export interface Message {
  readonly role: string;
  readonly content: string;
}
