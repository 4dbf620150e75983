import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from './client.js';
import { useApp } from './context.js';
import { asProblem } from './resource.js';
import { href, mayLeave, usePlace } from './router.js';
import { maySee, type PageProps, type Route, routes } from './routes.js';
import { Foreign } from './text/foreign-text.js';
import { applyTheme, readTheme, type Theme, themes } from './theme.js';
import { TrialProvider, useTrialPlace } from './trial.js';
import { Icon, isIconName, Logo } from './ui/icons.js';
import { PageHead } from './ui/page-head.js';
import { Loading, ProblemNotice } from './ui/states.js';

const groups = ['Watch', 'Tune', 'Administer', 'You'] as const;

/** What stands around every page: the way to the others, who is signed in, and the theme. */
export function Shell({ onSignOut }: { onSignOut(): Promise<void> }) {
  const { session } = useApp();
  const { path, query } = usePlace();
  const [menuOpen, setMenuOpen] = useState(false);
  const { route, id } = findRoute(path);
  const trial = useTrialPlace();
  useEffect(() => setMenuOpen(false), [path]);
  const menuButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!menuOpen) return;
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setMenuOpen(false);
      menuButton.current?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [menuOpen]);

  const visible = routes.filter((candidate) => maySee(candidate, session));
  return (
    <div class={menuOpen ? 'shell menu-open' : 'shell'}>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <header class="top">
        <button
          ref={menuButton}
          type="button"
          class="plain menu-button"
          aria-expanded={menuOpen}
          aria-controls="menu"
          onClick={() => setMenuOpen(!menuOpen)}
        >
          <Icon name="menu" />
          <span class="visually-hidden">Menu</span>
        </button>
        <a class="brand" href={href()}>
          <Logo />
          <span>Merlon</span>
        </a>
      </header>
      <div class="side" id="menu">
        <a class="brand" href={href()}>
          <Logo />
          <span>Merlon</span>
        </a>
        <p class="organization">
          <Foreign text={session.organization.name} />
        </p>
        <nav aria-label="Pages">
          {groups.map((group) => (
            <NavGroup key={group} group={group} routes={visible.filter((item) => item.group === group)} at={route} />
          ))}
        </nav>
        <div class="side-foot">
          <p class="who">
            <Foreign text={session.user.email} ltr />
            <span class="quiet">{session.user.role}</span>
          </p>
          <ThemeSwitch />
          <SignOutButton onSignOut={onSignOut} />
          <p class="quiet version">Merlon {session.version}</p>
        </div>
      </div>
      <main id="page" tabIndex={-1}>
        {route !== undefined && visible.includes(route) ? (
          <TrialProvider value={trial}>
            <LazyPage key={`${route.path}/${id}`} route={route} id={id} query={query} />
          </TrialProvider>
        ) : (
          <NoPage key={path} words={route === undefined ? 'There is no such page' : 'This page is not for your role'} />
        )}
      </main>
    </div>
  );
}

function NoPage({ words }: { readonly words: string }) {
  return (
    <>
      <PageHead title={words} heading={`${words}.`} />
      <p>
        <a href={href()}>To the overview</a>
      </p>
    </>
  );
}

interface NavGroupProps {
  readonly group: string;
  readonly routes: readonly Route[];
  readonly at: Route | undefined;
}

function NavGroup({ group, routes: items, at }: NavGroupProps) {
  if (items.length === 0) return null;
  const id = `nav-${group}`;
  return (
    <>
      <h2 id={id} class="nav-title">
        {group}
      </h2>
      <ul aria-labelledby={id}>
        {items.map((item) => (
          <li key={item.path}>
            <a href={href(item.path)} aria-current={item === at ? 'page' : undefined}>
              {isIconName(item.path) && <Icon name={item.path} />}
              {item.title}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <fieldset class="choice theme-switch">
      <legend class="visually-hidden">Colours</legend>
      <div class="choice-row">
        {themes.map((choice) => (
          <label key={choice} class={choice === theme ? 'chosen' : ''}>
            <input type="radio" name="theme" checked={choice === theme} onChange={() => choose(choice)} />
            <span>{{ system: 'Auto', light: 'Light', dark: 'Dark' }[choice]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function SignOutButton({ onSignOut }: { onSignOut(): Promise<void> }) {
  const { notify } = useApp();
  const [busy, setBusy] = useState(false);
  const signOut = () => {
    if (!mayLeave()) return;
    setBusy(true);
    onSignOut().catch((error: unknown) => {
      setBusy(false);
      notify(`Signing out failed: ${asProblem(error).message}`);
    });
  };
  return (
    <button type="button" class="small" disabled={busy} onClick={signOut}>
      Sign out
    </button>
  );
}

/** A page whose code may have to be loaded first. */
function LazyPage({ route, ...props }: PageProps & { readonly route: Route }) {
  const { client } = useApp();
  const [page, setPage] = useState<{ readonly Page?: ComponentType<PageProps>; readonly failed?: unknown }>({});
  useEffect(() => {
    let current = true;
    const load = () =>
      route.load().catch(async () => {
        // Fails by itself where the service does not answer at all.
        await client.get('/session');
        throw new Problem(0, 'This page could not be loaded', 'The service may have been updated.');
      });
    load().then(
      (Page) => current && setPage({ Page }),
      (failed: unknown) => current && setPage({ failed }),
    );
    return () => {
      current = false;
    };
  }, [route]);
  if (page.failed !== undefined) {
    return <ProblemNotice problem={asProblem(page.failed)} retry={() => location.reload()} retryText="Reload" />;
  }
  return page.Page === undefined ? <Loading what={route.title.toLowerCase()} /> : <page.Page {...props} />;
}

function findRoute(path: string): { readonly route: Route | undefined; readonly id: string } {
  const [first = '', second = '', ...rest] = path.split('/');
  const route = rest.length > 0 ? undefined : routes.find((candidate) => candidate.path === first);
  return { route, id: decodePart(second) };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
