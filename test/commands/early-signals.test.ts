import { expect, it } from 'vitest';
import { keepEarlySignals, takeEarlySignals } from '../../src/commands/early-signals.js';

it('signals that come before anybody listens are handed on to whoever does then, once', () => {
  const before = process.listenerCount('SIGTERM');
  keepEarlySignals();
  process.emit('SIGTERM', 'SIGTERM');
  process.emit('SIGINT', 'SIGINT');
  const heard: NodeJS.Signals[] = [];
  const hear = (signal: NodeJS.Signals) => heard.push(signal);
  process.on('SIGTERM', hear).on('SIGINT', hear);
  try {
    takeEarlySignals();
    expect(heard).toEqual(['SIGTERM', 'SIGINT']);
    takeEarlySignals();
    expect(heard).toHaveLength(2);
    expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  } finally {
    process.off('SIGTERM', hear).off('SIGINT', hear);
  }
});
