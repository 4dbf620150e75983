/** Light, dark, or what the system says; remembered in this browser. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'merlon-theme';
const changed = 'merlon:theme';

export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey);
    return themes.find((theme) => theme === stored) ?? 'system';
  } catch {
    // Storage may be forbidden; then the choice lasts as long as the page.
    return 'system';
  }
}

/** Shows the page in this theme and remembers it. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // As above.
  }
  dispatchEvent(new Event(changed));
}

/** Calls `work` whenever colours may have changed; gives the way to stop it. */
export function onThemeChange(work: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', work);
  addEventListener(changed, work);
  return () => {
    system.removeEventListener('change', work);
    removeEventListener(changed, work);
  };
}
