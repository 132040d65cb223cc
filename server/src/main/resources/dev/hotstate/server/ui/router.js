// Which page an address means, and moving between pages without loading the shell again.

import { pages } from './pages.js';

const BASE = '/ui';

/** The page for a location, with the values of its `:name` segments, or null. */
export function match(location, enabled = () => true) {
  const path = location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/';
  for (const page of pages) {
    const params = enabled(page) ? fit(page.path, path) : null;
    if (params) return { page, params, query: Object.fromEntries(new URLSearchParams(location.search)) };
  }
  return null;
}

export function href(path) {
  return path === '/' ? BASE : BASE + path;
}

/** Goes to a page by its path below /ui: `navigate('/jobs/42')`. */
export function navigate(path, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', href(path));
  window.dispatchEvent(new Event('hs-navigate'));
}

/** Calls `moved` on each change of page, whether by link, by `navigate` or by the browser's buttons. */
export function watch(moved) {
  document.addEventListener('click', followLink);
  window.addEventListener('popstate', moved);
  window.addEventListener('hs-navigate', moved);
}

function fit(pattern, path) {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params = {};
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i].startsWith(':')) params[wanted[i].slice(1)] = decode(given[i]);
    else if (wanted[i] !== given[i]) return null;
  }
  return params;
}

function followLink(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href);
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname !== BASE && !link.pathname.startsWith(`${BASE}/`)) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  if (link.href !== location.href) history.pushState(null, '', link.href);
  window.dispatchEvent(new Event('hs-navigate'));
}

function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
