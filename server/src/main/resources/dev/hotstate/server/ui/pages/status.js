// The public status page: how everything is, 90 days of each monitor, and what was wrong lately. It needs no sign-in, and
// asks for nothing but GET /status-page. When that does not answer it says so, rather than to show an old green.

import { css, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { api } from '../api.js';
import { LightElement } from '../components/light.js';
import { count, dateTime, duration, number, relative, time, words } from '../format.js';
import { Poll } from '../poll.js';
import { tone } from '../states.js';
import { uptimeText, uptimeTone } from './monitors/uptime-text.js';
import '../components/hs-days.js';
import '../components/hs-notice.js';
import '../components/hs-pill.js';
import '../components/hs-theme-switch.js';

const REFRESH_MS = 10_000;
const FEW = 25; // monitors of a group that are shown before one asks for all
const FEW_INCIDENTS = 5;
const HEADLINES = {
  up: 'All systems are up',
  degraded: 'Some systems have trouble',
  down: 'Some systems are down',
  maintenance: 'Maintenance is under way',
  unknown: 'Nothing is known yet',
};

export default class StatusPage extends LightElement {
  static properties = { open: { state: true } };
  static styles = css`
    .status-top { display: flex; align-items: center; gap: 0.65rem; font-weight: 620; }
    .status-top hs-theme-switch { margin-inline-start: auto; }
    .status-banner { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 1rem; padding: 1.35rem 1.5rem; border-radius: var(--radius); background: var(--tint); color: var(--tone); }
    .status-banner hs-dot { scale: 1.6; margin-inline: 0.25rem 0.4rem; }
    .status-banner h1 { font-size: 1.5rem; }
    .status-banner p { margin-inline-start: auto; font-size: var(--small); }
    .status-banner.up { --tone: var(--up); --tint: var(--up-tint); }
    .status-banner.degraded { --tone: var(--degraded); --tint: var(--degraded-tint); }
    .status-banner.down { --tone: var(--down); --tint: var(--down-tint); }
    .status-banner.busy { --tone: var(--busy); --tint: var(--busy-tint); }
    .status-banner.unknown { --tone: var(--ink-soft); --tint: var(--unknown-tint); }
    .status-group { display: grid; gap: 0.6rem; }
    .status-group h2, .status-incidents h2 { overflow-wrap: anywhere; unicode-bidi: isolate; }
    .status-group ul { margin: 0; padding: 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); list-style: none; }
    .status-group li { display: grid; gap: 0.55rem; padding: 0.9rem 1.25rem; contain-intrinsic-block-size: auto 88px; content-visibility: auto; }
    .status-group li + li { border-block-start: 1px solid var(--line); }
    .status-group li:focus-within, .status-group li:hover { content-visibility: visible; }
    .status-line { display: flex; align-items: center; gap: 0.5rem 1rem; min-inline-size: 0; }
    .status-line .name { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; unicode-bidi: isolate; }
    .status-line .percent { font-size: var(--small); color: var(--ink-faint); white-space: nowrap; }
    .status-scale { display: flex; justify-content: space-between; color: var(--ink-faint); font-size: var(--tiny); }
    .status-incidents { display: grid; gap: 0.6rem; }
    .status-incidents ul { margin: 0; padding: 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); list-style: none; }
    .status-incidents li { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.1rem 0.75rem; align-items: center; padding: 0.75rem 1.25rem; }
    .status-incidents li + li { border-block-start: 1px solid var(--line); }
    .status-incidents b { overflow-wrap: anywhere; unicode-bidi: isolate; }
    .status-incidents small { grid-column: 2; color: var(--ink-faint); }
    .status-foot { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem 1rem; color: var(--ink-faint); font-size: var(--small); }
  `;

  poll = new Poll(this, REFRESH_MS, (signal) => api.get('/status-page', { signal, timeout: 8000 }));

  constructor() {
    super();
    this.open = new Set();
  }

  render() {
    return html`
      <div class="page">
        <div class="status-top"><img src="/ui/logo.svg" width="24" height="24" alt=""> Status <hs-theme-switch></hs-theme-switch></div>
        ${this.poll.data ? this.#page(this.poll.data) : this.poll.error ? this.#unknown() : html`<h1 class="visually-hidden" tabindex="-1">Status</h1><hs-loading></hs-loading>`}
      </div>
    `;
  }

  #page(page) {
    const old = this.poll.error !== null;
    return html`
      ${old ? this.#unknown(page.updated_at) : this.#banner(page)}
      ${page.incidents === null ? html`<hs-banner state="degraded" heading="Incidents and history cannot be read at present">The states below are as they are now.</hs-banner>` : this.#incidents('Now', page.incidents.open, old)}
      ${page.total === 0 ? html`<hs-empty heading="Nothing is watched yet" icon="monitors">Monitors stand here as soon as there are some.</hs-empty>` : nothing}
      ${page.groups.map((group) => this.#group(group, page, old))}
      ${page.more ? html`<p class="muted">These are the first of ${number(page.total)}.</p>` : nothing}
      ${page.incidents === null ? nothing : this.#incidents('The last two weeks', page.incidents.recent, old)}
      <footer class="status-foot"><span title=${dateTime(page.updated_at)}>As of ${time(page.updated_at)}. Days are those of UTC.</span><a href="/ui/monitors">Dashboard</a></footer>
    `;
  }

  #banner({ state, updated_at: at }) {
    return html`
      <header class="status-banner ${tone(state)}" data-overall=${state}>
        <hs-dot state=${state}></hs-dot>
        <h1 tabindex="-1">${HEADLINES[state] ?? words(state)}</h1>
        <p>${time(at)}</p>
      </header>
    `;
  }

  #unknown(at) {
    return html`
      <header class="status-banner unknown" data-overall="unknown" role="alert">
        <hs-dot state="unknown"></hs-dot>
        <h1 tabindex="-1">The status is not known at present</h1>
        <p>${at ? `The last that is known is from ${dateTime(at)}.` : 'The server does not answer.'} It is asked again and again.</p>
      </header>
    `;
  }

  #group({ name, monitors }, page, old) {
    const key = `group ${name ?? ''}`;
    const shown = this.open.has(key) || monitors.length <= FEW ? monitors : failingFirst(monitors).slice(0, FEW);
    return html`
      <section class="status-group" data-group=${name ?? ''}>
        ${name || page.groups.length > 1 ? html`<h2>${name ?? 'Others'}</h2>` : html`<h2 class="visually-hidden">Monitors</h2>`}
        <ul>${repeat(shown, ({ id }) => id, (monitor) => this.#monitor(monitor, page.first_day, old))}</ul>
        ${this.#rest(key, shown, monitors)}
      </section>
    `;
  }

  #monitor({ id, name, state, uptime, days }, first, old) {
    const quarter = uptime?.['90d'];
    return html`
      <li data-id=${id} data-state=${old ? 'unknown' : state}>
        <div class="status-line">
          <span class="name" title=${name}>${name}</span>
          <span class="percent uptime-${uptimeTone(quarter)}">${typeof quarter === 'number' ? `${uptimeText(quarter)} in 90 days` : nothing}</span>
          <hs-pill state=${old ? 'unknown' : state}>${old ? 'Not known' : words(state)}</hs-pill>
        </div>
        ${days?.length ? html`
          <hs-days label="Uptime of ${name}" first=${first} .values=${days}></hs-days>
          <div class="status-scale" aria-hidden="true"><span>${count(days.length, 'day')} ago</span><span>Today</span></div>` : nothing}
      </li>
    `;
  }

  #incidents(heading, incidents, old) {
    if (incidents.length === 0) return heading === 'Now' ? nothing : html`<section class="status-incidents"><h2>${heading}</h2><p class="muted">No incident.</p></section>`;
    const shown = this.open.has(heading) ? incidents : incidents.slice(0, FEW_INCIDENTS);
    return html`
      <section class="status-incidents">
        <h2>${heading}</h2>
        <ul>${shown.map((incident) => this.#incident(incident, old))}</ul>
        ${this.#rest(heading, shown, incidents)}
      </section>
    `;
  }

  #rest(key, shown, all) {
    return shown.length < all.length ? html`<div><button @click=${() => (this.open = new Set(this.open).add(key))}>Show all ${number(all.length)}</button></div>` : nothing;
  }

  #incident({ id, monitor, started_at: from, ended_at: to, acknowledged }, old) {
    const lasted = Date.parse(to) - Date.parse(from);
    return html`
      <li data-incident=${id}>
        <hs-dot state=${old ? 'unknown' : to ? 'closed' : 'open'}></hs-dot>
        <b>${monitor.name} ${to ? 'was down' : 'is down'}</b>
        <small>${dateTime(from)}, ${to ? `for ${duration(lasted)}` : `began ${relative(from)}`}${acknowledged && !to ? '. Somebody is at work on it.' : nothing}</small>
      </li>
    `;
  }
}

function failingFirst(monitors) {
  const rank = ({ state }) => ['down', 'degraded', 'busy', 'unknown', 'up'].indexOf(tone(state));
  return monitors.toSorted((a, b) => rank(a) - rank(b));
}

customElements.define('status-page', StatusPage);
