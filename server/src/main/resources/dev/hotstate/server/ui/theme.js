// Sets the remembered theme before the first paint, so that a dark page never flashes white.
// A classic script on purpose: modules run too late for that. `theme` is "light", "dark" or absent (the system's).
(function () {
  let chosen = null;
  try {
    chosen = localStorage.getItem('hotstate.theme');
  } catch {
    // Storage may be forbidden; the system's theme is then used.
  }
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
