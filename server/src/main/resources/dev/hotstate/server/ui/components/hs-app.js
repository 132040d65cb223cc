// <hs-app>: the shell. Reads the configuration, shows the sign-in page where one is needed, and otherwise the
// navigation and the page that the address names.

import { css, html, nothing } from 'lit';
import { api } from '../api.js';
import { health } from '../health.js';
import { GROUPS, links, pages } from '../pages.js';
import { href, match, watch } from '../router.js';
import { session } from '../session.js';
import { LightElement } from './light.js';
import { toast } from './hs-toast.js';
import './hs-icon.js';
import './hs-link-status.js';
import './hs-notice.js';
import './hs-pill.js';
import './hs-signin.js';
import './hs-theme-switch.js';

const narrow = matchMedia('(max-width: 860px)'); // as in app.css

class HsApp extends LightElement {
  static properties = { ready: { state: true }, failed: { state: true }, route: { state: true }, page: { state: true }, pageError: { state: true }, menu: { state: true } };
  static styles = css`.full { display: grid; place-content: center; min-block-size: 100vh; padding: 1rem; }`;

  #loading = null;
  #listening = false;

  connectedCallback() {
    super.connectedCallback();
    session.addEventListener('signin', () => this.requestUpdate());
    health.addEventListener('change', () => this.requestUpdate());
    narrow.addEventListener('change', () => this.requestUpdate());
    watch(() => this.#go({ focus: true }));
    this.#begin();
  }

  async #begin() {
    this.failed = null;
    try {
      await session.load();
    } catch (error) {
      this.failed = error;
    }
    this.querySelector(':scope > .boot')?.remove(); // the "Loading" of index.html
    if (this.failed) return;
    this.ready = true;
    this.#go({ focus: false });
  }

  shouldUpdate() {
    return Boolean(this.ready || this.failed);
  }

  render() {
    if (this.failed) return html`<main class="full"><hs-error .error=${unreachable(this.failed)} @retry=${() => this.#begin()}></hs-error></main>`;
    if (this.route?.page.open) return html`<main class="open" id="main" tabindex="-1">${this.#content()}</main>`;
    if (session.signInNeeded) return html`<hs-signin></hs-signin>`;
    return html`
      <a class="skip" href="#main">Skip to content</a>
      <div class="shell">
        <header class="side" @keydown=${this.#pressed}>
          ${this.#brand()}
          <div class="fold ${this.menu ? 'open' : ''}" id="menu">
            ${this.#navigation()}
            ${this.#foot()}
          </div>
        </header>
        <main class="main" id="main" tabindex="-1">${this.#content()}</main>
      </div>
    `;
  }

  #brand() {
    const { env } = session.config;
    return html`
      <div class="brand">
        <a href=${href('/')} aria-label="hotstate, overview"><img src="/ui/logo.svg" alt="">hotstate</a>
        ${env ? html`<span class="env ${env === 'prod' ? 'prod' : ''}" title="Environment: ${env}">${env}</span>` : nothing}
        ${narrow.matches ? html`<hs-link-status></hs-link-status>` : nothing}
        <button class="menu icon plain" aria-expanded=${this.menu ? 'true' : 'false'} aria-controls="menu" aria-label="Menu" @click=${() => (this.menu = !this.menu)}>
          <hs-icon name=${this.menu ? 'close' : 'menu'}></hs-icon>
        </button>
      </div>
    `;
  }

  #navigation() {
    return html`
      <nav class="nav" aria-label="Pages">
        ${GROUPS.map((group) => this.#group(group, pages.filter((page) => page.group === group && enabled(page))))}
        <h2 id="group-reference">Reference</h2>
        <ul aria-labelledby="group-reference">
          ${links.map((link) => html`<li><a href=${link.href}><hs-icon name=${link.icon}></hs-icon>${link.title}<hs-icon class="out" name="out"></hs-icon></a></li>`)}
        </ul>
      </nav>
    `;
  }

  #group(name, entries) {
    if (entries.length === 0) return nothing;
    const id = `group-${name.toLowerCase()}`;
    return html`
      <h2 id=${id}>${name}</h2>
      <ul aria-labelledby=${id}>
        ${entries.map((page) => html`
          <li>
            <a href=${href(page.path)} aria-current=${this.#current(page) ? 'page' : nothing}>
              <hs-icon name=${page.icon}></hs-icon>${page.title}${page.path === '/' ? this.#healthDot() : nothing}
            </a>
          </li>`)}
      </ul>
    `;
  }

  #healthDot() {
    const state = health.error ? 'unknown' : health.latest?.status;
    return state && state !== 'up' ? html`<hs-dot state=${state} label="health: ${state}"></hs-dot>` : nothing;
  }

  // A page below another ('/jobs/:id') lights its parent in the navigation.
  #current(page) {
    const path = this.route?.page.path;
    return path === page.path || (page.path !== '/' && path?.startsWith(`${page.path}/`));
  }

  #foot() {
    const { version, instance, embedded, role } = session.config;
    return html`
      <div class="foot">
        ${embedded ? html`<small>Embedded Redis and PostgreSQL: for trying out, not for production.</small>` : nothing}
        <small>${[version && `v${version}`, instance, role].filter(Boolean).join(' · ')}</small>
        <div class="row">
          ${narrow.matches ? html`<span></span>` : html`<hs-link-status></hs-link-status>`}
          <hs-theme-switch></hs-theme-switch>
          ${session.canSignOut ? html`<button class="plain icon" aria-label="Sign out" title="Sign out" @click=${this.#signOut}><hs-icon name="signout"></hs-icon></button>` : nothing}
        </div>
      </div>
    `;
  }

  #content() {
    if (this.pageError) {
      return html`<div class="page"><h1 tabindex="-1">${this.route.page.title}</h1><hs-error .error=${notLoaded} @retry=${() => this.#go({ focus: true })}></hs-error></div>`;
    }
    if (this.route === null) {
      return html`<div class="page"><div class="page-head"><h1 tabindex="-1">No such page</h1></div><p>There is nothing at <code>${location.pathname}</code>. The <a href=${href('/')}>overview</a> is a good place to start.</p></div>`;
    }
    return this.page ?? html`<hs-loading></hs-loading>`;
  }

  #pressed(event) {
    if (event.key !== 'Escape' || !this.menu) return;
    this.menu = false;
    this.renderRoot.querySelector('button.menu').focus();
  }

  async #go({ focus }) {
    if (!this.ready) return;
    const route = match(location, enabled);
    if (!route?.page.open && !this.#begun()) return;
    const same = route !== null && route.page === this.route?.page && this.page;
    this.menu = false;
    this.route = route;
    this.pageError = null;
    document.title = `${route?.page.title ?? 'No such page'} · hotstate`;
    if (same) Object.assign(this.page, { params: route.params, query: route.query });
    else await this.#show(route);
    await this.updateComplete;
    await this.page?.updateComplete;
    if (focus && !same) this.#arrive();
  }

  /** Whether the caller may see more than open pages; what the server's health is matters to nobody else. */
  #begun() {
    if (session.signInNeeded) {
      this.route = null;
      return false;
    }
    if (!this.#listening) health.start();
    this.#listening = true;
    return true;
  }

  async #show(route) {
    this.page = null;
    this.#loading = route;
    if (route === null) return;
    try {
      const { default: Page } = await route.page.load();
      if (this.#loading === route) this.page = Object.assign(new Page(), { params: route.params, query: route.query });
    } catch (error) {
      console.error(`The page ${route.page.path} could not be loaded`, error);
      if (this.#loading === route) this.pageError = error;
    }
  }

  #arrive() {
    window.scrollTo(0, 0);
    (this.renderRoot.querySelector('#main h1') ?? this.renderRoot.querySelector('#main'))?.focus({ preventScroll: true });
  }

  async #signOut() {
    try {
      await api.delete('/session');
      location.reload();
    } catch (error) {
      toast('Could not sign out', { state: 'error', detail: error.message });
    }
  }
}

function enabled(page) {
  return !page.feature || session.has(page.feature);
}

const notLoaded = { title: 'This page could not be loaded', detail: 'The server did not answer, or it was updated since the dashboard was opened. In that case reload the dashboard.' };

function unreachable(cause) {
  return { title: 'hotstate does not answer', detail: `The dashboard could not read its configuration: ${cause.message}.` };
}

customElements.define('hs-app', HsApp);
