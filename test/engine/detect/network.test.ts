import { describe, expect, it } from 'vitest';
import { isFreeCall, phone } from '../../../src/engine/detect/network.js';

describe('numbers that are free to call', () => {
  it.each([
    '1-800-604-2275',
    '+1 (888) 604-2275',
    '18336042275',
    '(877) 604-2275',
    '866.604.2275',
    '0800 604 227',
    '0800 6042275',
    '0 800 604 227',
    '00800 6042 2751',
    '+800 6042 2751',
    '+49 800 6042275',
    '+44 (0)800 604 227',
    '8 (800) 604-22-75',
    '1800 604 227',
    '1300 604 227',
    '0120-604-227',
    '0808 801 6042',
  ])('%s is one', (hit) => {
    expect(isFreeCall(hit)).toBe(true);
    expect(phone(hit)).toBe(false);
  });

  it.each([
    // Mobile numbers of India, Poland, Nigeria and Thailand, and one of Germany without groups.
    '8776042275',
    '87760 42275',
    '+48 888 604 227',
    '0808 123 6042',
    '080-060-4227',
    '08006042275',
    '1-212-604-2275',
    '(802) 604-2275',
    '8 (921) 604-22-75',
    '0130 604 2275',
  ])('%s is none', (hit) => {
    expect(isFreeCall(hit)).toBe(false);
    expect(phone(hit)).toBe(true);
  });

  it('an extension does not make it somebody’s', () => {
    expect(phone('1-888-604-2275 x12')).toBe(false);
    expect(phone('1-212-604-2275 x12')).toBe(true);
  });
});
