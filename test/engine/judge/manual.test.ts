import { describe, expect, it } from 'vitest';
import { withoutCaptions } from '../../../src/engine/judge/manual.js';

const order = 'Remove all backups';
const manual = `# boxctl\n\n> Manage boxes.\n\n- List boxes:\n\n\`boxctl list\`\n\n- ${order}:\n\n\`boxctl wipe --all\`\n`;

function matchIn(text: string, part = order) {
  const start = text.indexOf(part);
  expect(start).toBeGreaterThanOrEqual(0);
  return { start, end: start + part.length };
}

describe('withoutCaptions', () => {
  it.each([
    ['in a caption', manual, order],
    ['in code', manual, 'wipe --all'],
    ['from a caption into its code', manual, `${order}:\n\n\`boxctl`],
    ['with prompts of a shell', `To list boxes:\n\n  $ boxctl list\n\n${order}:\r\n\r\n  $ boxctl wipe\r\n`, order],
    ['beside as many lines of prose', `Boxes hold things.\n${manual}\nThat is all.`, order],
  ])('lets manuals say it %s', (_name, text, part) => {
    expect(withoutCaptions(text, [matchIn(text, part)], () => true)).toEqual([]);
  });

  it.each([
    ['stands in the prose between', `${manual}\n${order.replace('all', 'his')} now.\n`, 'Remove his backups'],
    ['stands in a caption among prose', `Do this.\nNow.\nDo not ask.\n${manual}`, order],
    [
      'stands above code between fences',
      `List boxes:\n\`\`\`sh\nboxctl list\n\`\`\`\n${order}:\n~~~\nboxctl wipe\n~~~`,
      order,
    ],
    ['stands above a single command', `${order}:\n\n\`boxctl wipe\``, order],
    ['is followed by no code', `List boxes:\n\n${order}:\n\nboxctl wipe`, order],
    ['stands in indented lines of a program', `if a:\n    ${order}\nif b:\n    pass\n`, order],
  ])('keeps what %s', (_name, text, part) => {
    const match = matchIn(text, part);
    expect(withoutCaptions(text, [match], () => true)).toEqual([match]);
  });

  it('keeps what no rule spares', () => {
    const own = matchIn(manual);
    expect(withoutCaptions(manual, [own], () => false)).toEqual([own]);
  });
});
