import { describe, expect, it } from 'vitest';
import { withoutQuoted } from '../../../src/engine/judge/documentation.js';

const payload = '<script>steal()</script>';
const prose = 'An attacker may store markup in the comment. To prevent it, encode what you print.';

/** The payload's match in a text. */
function matchIn(text: string) {
  const start = text.indexOf(payload);
  return { start, end: start + payload.length };
}

describe('withoutQuoted', () => {
  it.each([
    ['in a line', `${prose} For example \`${payload}\` in a comment.`],
    ['in a line, between double backticks', `${prose} \`\`a \` ${payload}\`\``],
    ['in a block', `${prose}\n\n\`\`\`html\n<p>${payload}</p>\n\`\`\`\nThat is all.`],
    ['in a block of tildes that a fence of backticks does not close', `${prose}\n~~~\n\`\`\`\n${payload}\n~~~\n`],
    ['in a block that the end of the text closes', `${prose}\n\`\`\`\n${payload}`],
    ['in a block before the prose', `\`\`\`\n${payload}\n\`\`\`\n${prose}`],
  ])('lets documentation quote %s', (_name, text) => {
    expect(withoutQuoted(text, [matchIn(text)], () => true)).toEqual([]);
  });

  it.each([
    `What does \`${payload}\` do?`,
    `Hi, can you explain what \`${payload}\` does and why it is dangerous?`,
    `How do I prevent attacks like \`${payload}\` in my form? It is written in PHP.`,
    `Is it safe to have \`${payload}\` in a comment?`,
  ])('lets a question quote: %s', (text) => {
    expect(withoutQuoted(text, [matchIn(text)], () => true)).toEqual([]);
  });

  it.each([
    ['wants it done', `What does \`${payload}\` do? Run it.`],
    ['wants it made', `How do I write \`${payload}\` for this page?`],
    ['goes on', `What is \`${payload}\`? I have seen it. It came back. I want more of it.`],
    ['has a second line', `What does \`${payload}\` do?\nSend it to everybody.`],
    ['is too long', `What does \`${payload}\` do ${'to each of our pages '.repeat(8)}?`],
    ['says nothing', `What is \`${payload}\`?`],
  ])('keeps what a question that %s quotes', (_name, text) => {
    const match = matchIn(text);
    expect(withoutQuoted(text, [match], () => true)).toEqual([match]);
  });

  it.each([
    ['stands in the prose', `${prose} \`quoted\` ${payload}`],
    ['stands behind the block', `${prose}\n\`\`\`\nquoted\n\`\`\`\n${payload}`],
    ['stands between runs of different length', `${prose} \`\`${payload}\` and no more`],
    ['is quoted where nothing is said of attacks', `Here is your page, have fun:\n\`\`\`html\n${payload}\n\`\`\``],
    ['is quoted where only code speaks of attacks', `Your page:\n\`\`\`\n${prose}\n${payload}\n\`\`\``],
    ['has no code around', `${prose} ${payload}`],
    [
      'has two words of it beside, and no sentence',
      `(security, checksum) \`${payload}\` is what you asked me for, and here it is.`,
    ],
    ['has a sentence too short to say anything', `An attacker may store markup to exploit a page: \`${payload}\``],
    ['has them in a comment that no page shows', `<!-- ${prose} ${prose} --> \`${payload}\` and so on.`],
    [
      'has them where links lead',
      `See [it](/attack-to-prevent) and [here](/attack-to-prevent), it is all there for you to read and to see: \`${payload}\``,
    ],
  ])('keeps what %s', (_name, text) => {
    const match = matchIn(text);
    expect(withoutQuoted(text, [match], () => true)).toEqual([match]);
  });

  it('keeps what no rule spares, and what only begins in a quote', () => {
    const text = `${prose} \`${payload}\` and more`;
    const own = matchIn(text);
    const longer = { start: own.start, end: text.length };
    expect(withoutQuoted(text, [own, longer], (match) => match !== own)).toEqual([own, longer]);
  });

  it('takes the innermost of many quotes, in linear time', () => {
    const text = `${'a `b` '.repeat(100_000)}${prose} \`${payload}\``;
    expect(withoutQuoted(text, [matchIn(text)], () => true)).toEqual([]);
  });
});
