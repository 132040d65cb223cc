// Every page of the dashboard, in the order of the navigation. To add one, add its line here:
//
//   { path: '/audit', title: 'Audit', icon: 'audit', group: 'Capabilities', feature: 'audit', load: () => import('./pages/audit.js') }
//
// path     below /ui; `:name` stands for one segment and arrives in the element's `params`: '/jobs/:id'
// group    heading in the navigation; without one the page is reachable by its address only
// feature  shown only where that feature is switched on
// open     shown to anybody, without the sign-in and without the navigation: its data must be public
// load     imports a module whose default export is a Lit element (see components/light.js); it is given `params` and
//          `query` as properties and renders one <h1> with `tabindex="-1"`, which gets the focus on navigation
//
// What a page must know about the content security policy: no `style="…"` in a template, not by styleMap either (both
// are refused); set sizes by SVG attributes, by `element.style` in code, or use hs-meter. Never use unsafeHTML.

export const GROUPS = ['System', 'Capabilities'];

export const pages = [
  { path: '/', title: 'Overview', icon: 'overview', group: 'System', load: () => import('./pages/overview.js') },
  { path: '/redis', title: 'Redis keys', icon: 'keys', group: 'System', load: () => import('./pages/redis.js') },
  { path: '/monitors', title: 'Monitors', icon: 'monitors', group: 'Capabilities', feature: 'monitors', load: () => import('./pages/monitors.js') },
  { path: '/monitors/:id', title: 'Monitor', icon: 'monitors', feature: 'monitors', load: () => import('./pages/monitor.js') },
  { path: '/status', title: 'Status', icon: 'monitors', feature: 'monitors', open: true, load: () => import('./pages/status.js') },
  { path: '/jobs', title: 'Jobs', icon: 'jobs', group: 'Capabilities', feature: 'jobs', load: () => import('./pages/jobs.js') },
  { path: '/jobs/:id', title: 'Job', icon: 'jobs', feature: 'jobs', load: () => import('./pages/job.js') },
  { path: '/drivers', title: 'Drivers', icon: 'drivers', group: 'Capabilities', feature: 'drivers', load: () => import('./pages/drivers.js') },
  { path: '/limits', title: 'Limits', icon: 'limits', group: 'Capabilities', feature: 'limits', load: () => import('./pages/limits.js') },
  { path: '/traffic', title: 'Traffic', icon: 'traffic', group: 'Capabilities', feature: 'traffic', load: () => import('./pages/traffic.js') },
  { path: '/gallery', title: 'Gallery', icon: 'overview', load: () => import('./pages/gallery.js') },
];

/** Links out of the dashboard, below the pages. */
export const links = [
  { href: '/docs', title: 'API reference', icon: 'docs' },
  { href: '/metrics', title: 'Metrics', icon: 'metrics' },
];
