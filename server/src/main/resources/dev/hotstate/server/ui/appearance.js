// Light, dark, or as the system has it. The choice is kept in this browser; theme.js applies it before the first paint.

const KEY = 'hotstate.theme';
const root = document.documentElement;
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const changed = new EventTarget();

systemDark.addEventListener('change', () => changed.dispatchEvent(new Event('change')));

/** "light", "dark" or "system". */
export function chosenTheme() {
  return root.dataset.theme ?? 'system';
}

export function chooseTheme(theme) {
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
  changed.dispatchEvent(new Event('change'));
}

/** Calls back whenever colours change; returns a function that stops it. */
export function onThemeChange(listener) {
  changed.addEventListener('change', listener);
  return () => changed.removeEventListener('change', listener);
}
