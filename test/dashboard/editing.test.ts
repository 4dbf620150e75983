import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeService, type TestService } from '../e2e/service.js';
import { type Account, launchBrowser, openPage, startWithAdmin, type Watched } from './browser.js';

/** What somebody edits while others edit, too, while the service is slow, and while the session ends. */

let service: TestService;
let admin: Account;
let browser: Browser;

beforeAll(async () => {
  [{ service, admin }, browser] = await Promise.all([startWithAdmin(), launchBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await removeService(service);
});

interface Stored {
  readonly id: string;
  readonly role?: string;
  readonly profile_id: string;
}

async function send(method: string, path: string, body: object): Promise<Stored> {
  const headers = { 'content-type': 'application/json' };
  const answer = await service.fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Stored;
}

async function stored(list: string, id: string): Promise<Stored | undefined> {
  const { data } = (await (await service.fetch(`/api/v1/${list}`)).json()) as { readonly data: readonly Stored[] };
  return data.find((one) => one.id === id);
}

async function makeUser(name: string, role: string): Promise<Account & Stored> {
  const account = { email: `${name}@example.org`, password: 'correct horse battery' };
  return { ...(await send('POST', '/users', { ...account, role })), ...account };
}

/** A page of somebody who is signed in already. */
async function open(path: string, { email, password }: Account = admin): Promise<Watched> {
  const watched = await openPage(browser, service);
  await watched.context.request.post('/api/v1/session', { data: { email, password } });
  await watched.page.goto(`/dashboard${path}`);
  return watched;
}

describe('an edit in a list that is older than the last change', () => {
  it('of a user gives no role back that was taken away meanwhile', async () => {
    const { id, email } = await makeUser('was-admin', 'admin');
    const { context, page } = await open('/users');
    await page.getByRole('row', { name: email }).waitFor();
    await send('PATCH', `/users/${id}`, { role: 'viewer' });
    await page.getByRole('button', { name: `Edit ${email}` }).click();
    await page.getByLabel('Default profile').selectOption('strict');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Saved ${email}.`).waitFor();
    expect(await stored('users', id)).toMatchObject({ role: 'viewer', profile_id: 'strict' });
    await context.close();
  });

  it('of an application undoes no stricter profile', async () => {
    const { id } = await send('POST', '/applications', { name: 'Old name' });
    const { context, page } = await open('/applications');
    await page.getByRole('row', { name: 'Old name' }).waitFor();
    await send('PATCH', `/applications/${id}`, { profile_id: 'strict' });
    await page.getByRole('button', { name: 'Edit Old name' }).click();
    await page.getByLabel('Name', { exact: true }).fill('New name');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved New name.').waitFor();
    expect(await stored('applications', id)).toMatchObject({ name: 'New name', profile_id: 'strict' });
    await context.close();
  });
});

describe('own rules that somebody else has changed meanwhile', () => {
  const path = '/organization/rules';
  const allow = (phrase: string) => [{ phrase, policies: ['LLM01'], owner: 'security' }];

  it('are neither saved over nor rolled back, and what was typed stays', async () => {
    await send('PUT', path, { allow: allow('first phrase') });
    const { context, page } = await open('/own-rules');
    await page.getByLabel('Phrase', { exact: true }).fill('typed in a stale page');
    // Removed, because it allowed too much.
    await send('PUT', path, {});
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The rules were changed meanwhile.').waitFor();
    expect(await page.getByLabel('Phrase', { exact: true }).inputValue()).toBe('typed in a stale page');
    await page.getByRole('row', { name: /0 rules, 0 allowed phrases current/ }).waitFor();
    const { allow: now } = (await (await service.fetch(`/api/v1${path}`)).json()) as { readonly allow: unknown };
    expect(now).toEqual([]);
    await page.getByRole('button', { name: 'Load the current version' }).click();
    await page.getByRole('heading', { name: 'Allow-list: 0 phrases' }).waitFor();
    await context.close();

    await send('PUT', path, { allow: allow('second phrase') });
    const stale = await open('/own-rules');
    await stale.page
      .getByRole('button', { name: /^Roll back to version/ })
      .first()
      .waitFor();
    await send('PUT', path, { allow: allow('third phrase') });
    await stale.page
      .getByRole('button', { name: /^Roll back to version/ })
      .last()
      .click();
    await stale.page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await stale.page.getByText('The rules were changed meanwhile.').waitFor();
    await stale.context.close();
    await send('PUT', path, {});
  });
});

describe('own rules that are typed', () => {
  it('are as saved once they are put back, and are told no errors of an earlier text', async () => {
    const patterns = [{ regex: 'FALCON-[0-9]{4}' }];
    await send('PUT', '/organization/rules', { rules: [{ policy: 'LLM02', title: 'Falcon', patterns }] });
    const { context, page } = await open('/own-rules');
    const [title, pattern] = [page.getByLabel('Title'), page.getByLabel('Pattern 1', { exact: true })];
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const errors = page.locator('.field-error');
    for (const typed of ['Falconry', '', 'Falcon']) await title.fill(typed);
    await page.getByText(/^As saved/).waitFor();
    await pattern.fill('FALCON-(');
    await errors.waitFor();
    await pattern.fill('FALCON-[0-9]{4}');
    await page.getByText(/^As saved/).waitFor();
    expect(await errors.count()).toBe(0);

    await pattern.fill('FALCON-(');
    await errors.waitFor();
    await page.route('**/rules/check', (route) => route.fulfill({ status: 503, json: { title: 'Overloaded' } }));
    await pattern.fill('FALCON');
    await page.getByText('Not checked.').waitFor();
    expect([await errors.count(), await save.isEnabled()]).toEqual([0, true]);
    await page.unroute('**/rules/check');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('valid', { exact: true }).waitFor();
    await context.close();
    await send('PUT', '/organization/rules', {});
  });
});

describe('own rules that are not whole', () => {
  it('are checked once no pattern is empty, and what no compiler can read stands at its field alone', async () => {
    const { context, page } = await open('/own-rules');
    const [pattern, score] = [page.getByLabel('Pattern 1', { exact: true }), page.getByLabel('Score')];
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const unwritten = page.getByText('Checked once no pattern or phrase is empty.');
    for (const add of ['Add a rule', 'Allow a phrase']) {
      await page.getByRole('button', { name: add }).click();
      await unwritten.waitFor();
      await (add === 'Add a rule' ? pattern : page.getByLabel('Phrase', { exact: true })).fill('falcon');
      await page.getByText('valid', { exact: true }).waitFor();
    }
    await pattern.fill('');
    await unwritten.waitFor();
    expect([await save.isDisabled(), await page.locator('.field-error, [role=alert]').count()]).toEqual([true, 0]);

    await pattern.fill('falcon');
    await score.fill('3');
    await page.getByText('See the marked fields.').waitFor();
    expect(await score.getAttribute('aria-invalid')).toBe('true');
    const told = await page.locator(`[id="${await score.getAttribute('aria-describedby')}"]`).textContent();
    expect(told).toBe('must be above 0, up to 1');
    expect(await page.getByText(/must be above 0|\/rules\/0/).count()).toBe(1);
    expect([await save.isDisabled(), await page.getByRole('button', { name: 'Try again' }).count()]).toEqual([true, 0]);
    await score.fill('0.5');
    await page.getByText('valid', { exact: true }).waitFor();
    expect([await score.getAttribute('aria-invalid'), await save.isEnabled()]).toEqual([null, true]);
    await context.close();
  });
});

describe('own rules that were made over the API', () => {
  it('keep the breaks of their examples, and the moment at which a phrase ends', async () => {
    const examples = { match: ['FALCON\n1234'], clean: ['falcon'] };
    const allow = [{ phrase: 'project\nfalcon', policies: ['LLM01'], expires_at: '2099-01-01T00:30:00+02:00' }];
    const rules = [{ policy: 'LLM02', patterns: [{ regex: 'FALCON\n[0-9]{4}' }, { phrase: 'a\nb' }], examples }];
    await send('PUT', '/organization/rules', { rules, allow });
    const { context, page } = await open('/own-rules');
    await page.getByText('Reason and examples').click();
    const shown = ['Pattern 1', 'Pattern 2', 'Phrase', 'Ends on'].map((label) =>
      page.getByLabel(label, { exact: true }).inputValue(),
    );
    expect(await Promise.all(shown)).toEqual(['FALCON\\n[0-9]{4}', 'a b', 'project falcon', '2098-12-31']);
    const match = page.getByLabel('Must match, one a line');
    expect([await match.inputValue(), await match.isEditable()]).toEqual(['FALCON\n1234', false]);
    expect(await page.getByLabel('Must not match, one a line').isEditable()).toBe(true);
    await context.close();
    await send('PUT', '/organization/rules', {});
  });
});

describe('a page that nobody uses', () => {
  it('says so where it asks by itself, and only there', async () => {
    const { context, page } = await openPage(browser, service);
    await context.request.post('/api/v1/session', { data: admin });
    const asked: boolean[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/overview')) asked.push('x-merlon-unattended' in request.headers());
    });
    await page.goto('/dashboard/');
    await expect.poll(() => asked.length).toBeGreaterThan(1);
    expect(asked.slice(0, 2)).toEqual([false, true]);
    await context.close();
  });
});

describe('the own user', () => {
  it('has no password to be changed without the current one', async () => {
    const other = await makeUser('another-admin', 'admin');
    const { context, page } = await open('/users');
    for (const [email, fields] of [
      [admin.email, 0],
      [other.email, 1],
    ] as const) {
      await page.getByRole('button', { name: `Edit ${email}` }).click();
      await page.getByRole('dialog').getByLabel('Default profile').waitFor();
      expect(await page.getByLabel('New password').count()).toBe(fields);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    }
    await context.close();
  });
});

describe('a new token', () => {
  it('is lost neither by Escape nor by Back, unless somebody says so', async () => {
    const { context, page } = await open('/account');
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('shown once');
    await page.getByRole('button', { name: 'Create token' }).click();
    const copied = page.getByRole('button', { name: 'I have copied it' });
    await copied.waitFor();
    for (let times = 0; times < 6; times++) await page.keyboard.press('Escape', { delay: 30 });
    expect(await copied.isVisible()).toBe(true);
    // As a browser closes it that knows no `closedby`.
    await page.evaluate("document.querySelector('dialog').close()");
    await copied.waitFor();

    const asked: string[] = [];
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      return asked.length === 1 ? dialog.dismiss() : dialog.accept();
    });
    await page.evaluate('history.back()');
    await expect.poll(() => asked).toEqual(['The token is not shown again. Leave it all the same?']);
    expect(await copied.isVisible()).toBe(true);
    expect(page.url()).toMatch(/\/tokens$/);
    await page.evaluate('history.back()');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await context.close();
  });
});

describe('what is sent off in a dialog', () => {
  it('keeps the dialog until its outcome is told, and asks before a page is left that would have shown a token', async () => {
    await send('POST', '/tokens', { name: 'of yesterday', scopes: ['guard:scan'] });
    const { context, page } = await open('/account');
    const held: Route[] = [];
    await page.route(/\/api\/v1\/tokens(\/|$)/, (route) => {
      held.push(route);
    });
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('button', { name: 'Revoke of yesterday' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(() => held.length).toBe(1);
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape', { delay: 30 });
    await held[0]?.fulfill({ status: 503, json: { title: 'Store unavailable', detail: 'Later.' } });
    await dialog.getByText('Store unavailable.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'New token' }).click();
    await dialog.getByLabel('Name').fill('made meanwhile');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect.poll(() => held.length).toBe(2);
    const asked: string[] = [];
    page.removeAllListeners('dialog');
    page.on('dialog', (question) => {
      asked.push(question.message());
      return question.dismiss();
    });
    await page.evaluate('history.back()');
    await expect.poll(() => asked).toEqual(['The token is being made, and is shown once. Leave it all the same?']);
    await held[1]?.continue();
    await page.getByRole('button', { name: 'I have copied it' }).waitFor();
    await context.close();
  });
});

describe('a session that ends in mid-edit', () => {
  async function editUntilItEnds(): Promise<Watched> {
    const watched = await open('/own-rules');
    const { context, page } = watched;
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await context.clearCookies();
    await page.getByLabel('Pattern 1', { exact: true }).fill('typed for ten minutes');
    await page.getByText('Your session has ended.').waitFor();
    expect(
      await page.getByRole('button', { name: 'Add a rule' }).click({ trial: true, timeout: 200 }).catch(String),
    ).toMatch(/Timeout/);
    return watched;
  }

  it('goes on where it was once the same person signs in again', async () => {
    const { context, page } = await editUntilItEnds();
    await page.keyboard.press('Escape');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    // The request that had come too late is made again.
    await page.getByText('valid', { exact: true }).waitFor();
    expect(await page.getByLabel('Pattern 1', { exact: true }).inputValue()).toBe('typed for ten minutes');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await context.close();
  });

  it('stays at the newest sign-in, whatever answers come late of the session before', async () => {
    const { context, page } = await open('/applications');
    const name = page.getByLabel('Name of the organization');
    await name.fill('Renamed');
    await context.clearCookies();
    const late: Route[] = [];
    await page.route('**/api/v1/session', (route) =>
      route.request().method() === 'GET' ? void late.push(route) : route.continue(),
    );
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await expect.poll(() => late.length).toBe(1);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Saved the name of the organization.').waitFor();
    const answered = page.waitForResponse('**/api/v1/session');
    await late[0]?.fulfill({ status: 401, json: {} });
    await (await answered).finished();
    // With the token of the new session.
    await name.fill('Renamed again');
    await page.getByRole('button', { name: 'Rename' }).click();
    await expect.poll(() => page.locator('.organization').textContent()).toBe('Renamed again');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await context.close();
  });

  it('begins anew for anybody else', async () => {
    const other = await makeUser('other-admin', 'admin');
    const { context, page } = await editUntilItEnds();
    await page.getByLabel('E-mail').fill(other.email);
    await page.getByLabel('Password').fill(other.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: '0 rules' }).waitFor();
    expect(await page.locator('.who').textContent()).toContain(other.email);
    await context.close();
  });

  it('is over, where signing out was what came too late', async () => {
    const { context, page } = await open('/account');
    const signOut = page.getByRole('button', { name: 'Sign out', exact: true });
    await signOut.waitFor();
    await context.clearCookies();
    await signOut.click();
    await page.getByText('You have signed out.').waitFor();
    await context.close();
  });
});

const title = 'Kept by the organization';
const policies = { LLM01: { mode: 'enforce', threshold: 0.5 } };
const putProfile = (id: string) => send('PUT', `/profiles/${id}`, { title, policies, store_text: 'none' });

describe('a slow save', () => {
  it.each([
    ['a profile', '/profiles/slow', '**/api/v1/profiles/slow', 'Title'],
    ['own rules', '/own-rules', '**/api/v1/organization/rules', 'Phrase'],
  ])('takes nothing more until its outcome is shown: %s', async (_, path, address, label) => {
    await putProfile('slow');
    const { context, page } = await open(path);
    const field = page.getByLabel(label, { exact: true });
    if (label === 'Phrase') await page.getByRole('button', { name: 'Allow a phrase' }).click();
    await field.fill('Saved slowly');
    const held: Route[] = [];
    await page.route(address, (route) => {
      held.push(route);
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => held.length).toBe(1);
    expect(await field.isDisabled()).toBe(true);
    await page.getByRole('status').getByText('Saving …').waitFor();
    await held[0]?.continue();
    await expect.poll(() => field.isEnabled()).toBe(true);
    expect(await field.inputValue()).toBe('Saved slowly');
    // Its answer is shown: nothing more is asked, whose failure could leave an editor of the state before.
    expect(held.length).toBe(1);
    await context.close();
  });
});

describe('a threshold', () => {
  it('is set to the hundredth, as those of shipped profiles are, by keyboard too, and says which way is stricter', async () => {
    await putProfile('sensitive');
    const { context, page } = await open('/profiles/sensitive');
    const slider = page.getByRole('slider', { name: 'Sensitivity of LLM01' });
    const told = () => slider.getAttribute('aria-valuetext');
    await page.getByText('stricter →').first().waitFor();
    for (const [key, threshold] of [
      ['ArrowRight', '0.49'],
      ['ArrowLeft', '0.50'],
      ['Home', '1.00'],
      ['End', '0.05'],
    ] as const) {
      await slider.press(key);
      await expect.poll(told).toBe(`threshold ${threshold}`);
    }
    await slider.fill('0.58');
    await expect.poll(told).toBe('threshold 0.42');
    await slider.press('PageUp');
    // A tenth of the whole.
    await expect.poll(async () => Number((await told())?.split(' ')[1])).toBeLessThan(0.34);
    await slider.fill('0.58');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('row', { name: /^2 .*LLM01: enforce at 0\.50 → enforce at 0\.42/ }).waitFor();
    await context.close();
  });
});

describe('rolling back', () => {
  it('says that it discards what is not saved', async () => {
    await putProfile('rolled');
    await send('PUT', '/profiles/rolled', { title: 'Second', policies, store_text: 'none' });
    const { context, page } = await open('/profiles/rolled');
    const rollBack = page.getByRole('button', { name: 'Roll back to version 1' });
    const warning = page.getByRole('dialog').getByText('What you changed here and have not saved is lost.');
    await rollBack.click();
    await page.getByRole('dialog').waitFor();
    expect(await warning.count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Title').fill('Unsaved');
    await rollBack.click();
    await warning.waitFor();
    await context.close();
  });
});

describe('a dialog that offers a list', () => {
  it('sends nothing before the list is there, and says what keeps it', async () => {
    const { context, page } = await open('/account');
    for (const [link, act, make, list] of [
      ['Applications', 'New application', 'Create application', '**/api/v1/profiles'],
      ['Users', 'New user', 'Create user', '**/api/v1/profiles'],
      ['Tokens', 'New token', 'Create token', '**/api/v1/users?*'],
      ['Tokens', 'New token', 'Create token', '**/api/v1/applications?*'],
    ] as const) {
      let answer = (_route: Route): Promise<void> => Promise.resolve();
      await page.route(list, (route) => answer(route));
      await page.getByRole('link', { name: link }).click();
      await page.getByRole('button', { name: act }).click();
      const dialog = page.getByRole('dialog', { name: act });
      const submit = dialog.getByRole('button', { name: make });
      expect([list, await submit.isDisabled()]).toEqual([list, true]);
      await page.keyboard.press('Escape');

      answer = (route) => route.fulfill({ status: 503, json: { title: 'Store unavailable', detail: 'Later.' } });
      await page.getByRole('button', { name: act }).click();
      await dialog.getByText('Store unavailable.').waitFor();
      expect([list, await submit.isDisabled()]).toEqual([list, true]);
      answer = (route) => route.continue();
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => submit.isEnabled()).toBe(true);
      await page.keyboard.press('Escape');
      await page.unroute(list);
    }
    await context.close();
  });
});

describe('a page whose person or role is another than it was', () => {
  it('offers what the new role may see', async () => {
    const own = await makeUser('steps-down', 'admin');
    const { context, page } = await open('/users', own);
    await page.getByRole('button', { name: `Edit ${own.email}` }).click();
    await page.getByLabel('Role').selectOption('viewer');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.who').getByText('viewer').waitFor();
    await page.getByText('This page is not for your role.').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await context.close();
  });

  it.each([
    ['when it is looked at again', "dispatchEvent(new Event('focus'))"],
    ['with the first change', "document.querySelector('main .card form').requestSubmit()"],
  ])('begins anew %s', async (when, act) => {
    const other = await makeUser(when.replaceAll(' ', '-'), 'admin');
    const { context, page } = await open('/applications');
    await page.getByLabel('Name of the organization').fill('Typed by another');
    await context.request.post('/api/v1/session', { data: { email: other.email, password: other.password } });
    await page.evaluate(act);
    await page.locator('.who').getByText(other.email).waitFor();
    await page.getByText(`${other.email} has signed in in another tab.`).waitFor();
    expect(await page.getByLabel('Name of the organization').inputValue()).not.toBe('Typed by another');
    expect(await page.getByRole('alert').count()).toBe(0);
    await context.close();
  });
});

describe('the id of a new profile', () => {
  it('is taken as the service takes it', async () => {
    const { context, page } = await open('/profiles/new?from=default');
    const field = page.getByLabel('Id');
    for (const id of ['1abc', 'Abc', '-a', 'a'.repeat(65), 'a'.repeat(64), 'a-1', 'new', 'preview', 'news']) {
      await field.fill(id);
      const { status } = await service.fetch(`/api/v1/profiles/${id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title, policies, store_text: 'none' }),
      });
      expect([id, await field.and(page.locator(':valid')).count()]).toEqual([id, status === 200 ? 1 : 0]);
    }
    await context.close();
  });
});
