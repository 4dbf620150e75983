import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { patience, preloading, startTestService, type TestService } from '../e2e/service.js';

/** A real browser on a real service: everything that the page complains about is kept, for tests to fail on. */

const commands = ['chromium', 'chromium-browser', 'google-chrome'];
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'];
const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  // A process for each page and one to draw take half as long again to begin.
  '--in-process-gpu',
  '--renderer-process-limit=1',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing but the services under test is reached.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
/** Longest wait for something to come up; below the time of a test, so that a failure tells what was waited for. */
const waitMs = 40_000;
/** Signed out, the page asks who is signed in and is told: nobody. The browser counts that as an error. */
const expectedComplaint = /status of 401 \(Unauthorized\).*\/api\/v1\/session$/;

/** Where the browser is. Throws with the package's name when there is none: these tests are not skipped. */
function chromiumFile(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist`);
  const places = folders.flatMap((folder) => commands.map((command) => join(folder, command)));
  const found = named || places.find((place) => existsSync(place));
  if (found === undefined) {
    throw new Error(
      `The tests of the dashboard need Chromium: install the package "chromium" (apt-get install chromium), or set CHROMIUM_PATH. Looked for ${commands.join(', ')} on the PATH.`,
    );
  }
  return found;
}

/** A browser with a new profile folder, which it removes when it is closed. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumFile(), args: quiet });
}

export interface Watched {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the console, of scripts, and of the content security policy so far. */
  complaints(): readonly string[];
}

/**
 * A page of its own cookies. Requests that leave the service are complained about where they are made: to route all requests
 * through the test would make the browser do without its cache.
 */
export async function openPage(
  browser: Browser,
  service: TestService,
  options: { readonly colorScheme?: 'light' | 'dark'; readonly width?: number } = {},
): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width: options.width ?? 1440, height: 900 },
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(waitMs);
  const complaints: string[] = [];
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== service.url) complaints.push(`asked ${request.url()}`);
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on('console', (message) => {
    const said = `${message.text()} ${message.location().url}`;
    if (['error', 'warning'].includes(message.type()) && !expectedComplaint.test(said)) complaints.push(said);
  });
  return { context, page, complaints: () => complaints };
}

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** A first run of the service, with the admin that it made. */
export async function startWithAdmin(): Promise<{ readonly service: TestService; readonly admin: Account }> {
  const service = await startTestService(preloading(patience));
  const { stderr } = service.process;
  // What it prints for people may come a moment after the line for scripts.
  while (stderr !== null && !/password +\S+/.test(service.errors())) {
    await once(stderr, 'data', { signal: AbortSignal.timeout(waitMs) });
  }
  const [, email = ''] = /admin +(\S+)/.exec(service.errors()) ?? [];
  const [, password = ''] = /password +(\S+)/.exec(service.errors()) ?? [];
  return { service, admin: { email, password } };
}

export async function signIn(page: Page, account: Account): Promise<void> {
  await page.goto('/dashboard');
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}

/** A piece, so many times over, into the text of the page, as a clipboard brings it. */
export async function paste(page: Page, piece: string, times: number): Promise<void> {
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(piece)}.repeat(${times}));
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('textarea').dispatchEvent(paste);
  }`);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds serious or critical on the page as it is, one line each. */
export async function seriousProblems(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource);
  const found: unknown = await page.evaluate(`axe
    .run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.target.join(' ') + ' ' + node.failureSummary)))`);
  return Array.isArray(found) ? found.map(String) : ['axe gave no answer'];
}
