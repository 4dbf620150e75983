import type { Message } from '../domain/message.js';

/**
 * A bounded, even sample of messages of which nobody knows how many will come: every n-th is kept, and n doubles whenever
 * they grow too many. No chance is in it, so that two runs over the same data measure the same.
 */
export class MessageSample {
  private readonly unitsMax: number;
  private kept: Message[] = [];
  private units = 0;
  private step = 1;
  private seen = 0;

  constructor(unitsMax: number) {
    this.unitsMax = unitsMax;
  }

  add(message: Message): void {
    const isTurn = this.seen++ % this.step === 0;
    if (!isTurn || message.content.length > this.unitsMax) return;
    this.kept.push(message);
    this.units += message.content.length;
    while (this.units > this.unitsMax && this.kept.length > 1) {
      this.step *= 2;
      this.kept = this.kept.filter((_, place) => place % 2 === 0);
      this.units = this.kept.reduce((sum, { content }) => sum + content.length, 0);
    }
  }

  messages(): readonly Message[] {
    return this.kept;
  }
}
