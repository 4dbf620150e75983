/**
 * An e-mail address of possible shape and size (RFC 5321, section 4.5.3.1) whose domain is not reserved for
 * examples, tests or local use (RFC 2606, RFC 6761, RFC 6762), and that is neither a mailing list's, a desk's, a message id, a file,
 * a unit of systemd nor one that texts use for anybody's.
 */
export function email(hit: string): boolean {
  const at = hit.lastIndexOf('@');
  const local = hit.slice(0, at);
  const domain = hit.slice(at + 1).toLowerCase();
  if (at < 1 || local.length > 64 || domain.length > 253) return false;
  if (local.startsWith('.') || /[.-]$/.test(local) || local.includes('..')) return false;
  const names = domain.split('.');
  const [second, top] = names.slice(-2);
  if (names.length < 2 || top.length < 2 || names.some((name) => name === '' || name.length > 63)) return false;
  if (names.some((name) => name.startsWith('-') || name.endsWith('-'))) return false;
  if (reservedTops.has(top) || anybodysDomains.has(`${second}.${top}`)) return false;
  if (notMail.test(top) && !(top === 'py' && paraguayan.test(second))) return false;
  if (names[0] === 'lists' || second === 'googlegroups' || anybodysHost.test(names[0])) return false;
  const [user] = local.toLowerCase().split('+');
  if (/^[a-c]$/.test(user) && second === 'gmail') return false;
  return (
    !noPerson.test(local) && !desk.test(user) && !anybody.test(user) && !(user === 'user' && hostOfNone.test(domain))
  );
}

/** Lists and their commands, and ids of messages, which begin with a time. */
const noPerson =
  /^bugs?$|^bug-|-(?:announce|bugs|commits|devel?|developers|discuss|help|leave|list|owner|request|(?:un)?subscribe|users?|sig|people|security)$|^(?:security|majordomo)$|^[0-9]{8,}\.[0-9A-Za-z.-]+$/i;
/** Without what follows a plus sign, which is whoever's it is. */
const desk =
  /^(?:git|dmarc)$|^(?:.*[._-])?(?:no-?reply|donotreply|abuse|postmaster|webmaster|hostmaster|support|billing|sales)$/;
const anybody = /^(?:name|you|email|test|foo|bar|(?:some|no)(?:one|body)|unknown|username)$/;
const anybodysHost = /^(?:foo$|my-?company|your-?(?:company|domain))/;
const hostOfNone = /^(?:domain|host)/;
const reservedTops = new Set(['test', 'example', 'invalid', 'localhost', 'local', 'internal']);
const anybodysDomains = new Set([
  ...['com', 'net', 'org', 'edu'].map((top) => `example.${top}`),
  ...['company', 'test', 'email', 'domain', 'bar', 'xyz', 'abc', 'dolor'].map((second) => `${second}.com`),
]);
/** Ends of files, and units of systemd (`getty@tty1.service`). */
const notMail =
  /^(?:png|jpe?g|gif|svg|webp|[cm]?js|py|automount|device|mount|path|scope|service|slice|socket|swap|target|timer)$/;
/** The names beneath which Paraguay gives domains. */
const paraguayan = /^(?:com|coop|edu|gov|mil|net|org|una)$/;
