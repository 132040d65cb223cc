// <monitor-list .query=${{ state, tag, q, sort }} .summary=${summary} @asked=${…}></monitor-list>: the monitors, with
// filters. `asked` tells another query that the reader wants (detail: its parts); the page puts it into the address.
//
// Fluid at any number: a part of a hundred is read when its place comes near, and only rows near the window are drawn.
// What was not read lately, because the server does not answer, is shown as unknown rather than as it was.

import { css, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { count, dateTime, duration, number, relative, timeOrDate, words } from '../../format.js';
import { Live } from '../../live.js';
import { href, navigate } from '../../router.js';
import { ListParts } from './list-parts.js';
import { Uptimes } from './uptimes.js';
import { uptimeText, uptimeTone } from './uptime-text.js';
import '../../components/hs-icon.js';
import '../../components/hs-notice.js';
import '../../components/hs-pill.js';
import '../../components/hs-states.js';

const PART = 100;
const REFRESH_MS = 5000;
const SOON_MS = 1000;
const OLD_MS = 15_000;
const AROUND = 10; // rows drawn beyond the window on either side
const TYPING_MS = 200;
const STATES = ['down', 'stale', 'degraded', 'pending', 'maintenance', 'up', 'paused'];
const SORTS = { state: 'Failing first', name: 'By name', latency: 'Slowest first' };

class MonitorList extends LightElement {
  static properties = { query: { attribute: false }, summary: { attribute: false }, from: { state: true }, to: { state: true } };
  static styles = css`
    monitor-list { display: grid; gap: 0.85rem; container: monitors / inline-size; }
    .monitor-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem; }
    .monitor-bar .search { position: relative; flex: 1 1 14rem; max-inline-size: 22rem; }
    .monitor-bar .search input { inline-size: 100%; padding-inline-start: 2.1rem; }
    .monitor-bar .search hs-icon { position: absolute; inset: 0 auto 0 0.65rem; align-items: center; color: var(--ink-faint); --icon-size: 16px; pointer-events: none; }
    .monitor-bar .tag { inline-size: 10rem; }
    .monitor-chips { display: flex; flex-wrap: wrap; gap: 0.4rem; }
    .monitor-chips button { min-block-size: 2rem; padding: 0 0.7rem; border-radius: 99px; font-size: var(--small); font-weight: 500; }
    .monitor-chips button b { font-weight: 650; }
    .monitor-chips button[aria-pressed="true"] { border-color: var(--action); box-shadow: inset 0 0 0 1px var(--action); }
    .monitor-box { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); overflow: clip; }
    .monitor-head, .monitor-rows li { display: grid; grid-template-columns: minmax(0, 1.35fr) minmax(9rem, 1fr) 5rem 5rem 7.5rem; align-items: center; gap: 0 1.25rem; padding-inline: 1rem; }
    .monitor-head { min-block-size: 2.4rem; border-block-end: 1px solid var(--line); color: var(--ink-faint); font-size: var(--small); font-weight: 550; }
    .monitor-head .numeric, .monitor-rows .numeric { text-align: end; white-space: nowrap; }
    .monitor-rows { margin: 0; padding: 0; list-style: none; overflow-anchor: none; }
    .monitor-rows li { block-size: 3.75rem; border-block-end: 1px solid var(--line); cursor: pointer; font-size: 0.875rem; overflow: clip; }
    .monitor-rows li:last-child { border-block-end-color: transparent; }
    .monitor-rows li:hover { background: var(--sunken); }
    .monitor-rows .who { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 0.7rem; align-items: center; min-inline-size: 0; }
    .monitor-rows .who > div { min-inline-size: 0; }
    .monitor-rows .name { display: flex; align-items: center; gap: 0.5rem; min-inline-size: 0; }
    .monitor-rows .name a { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; text-decoration: none; unicode-bidi: isolate; }
    .monitor-rows .name a:hover { text-decoration: underline; }
    .monitor-rows .name button { flex: none; max-inline-size: 8rem; overflow: hidden; text-overflow: ellipsis; display: block; min-block-size: 0; padding: 0 0.4rem; border-radius: 5px; background: var(--sunken); color: var(--ink-faint); font-size: var(--tiny); font-weight: 500; line-height: 1.4; }
    .monitor-rows .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink-faint); font-size: var(--small); unicode-bidi: isolate; }
    .monitor-rows .what.why { color: var(--down); }
    .monitor-rows hs-states { --hs-states-height: 24px; }
    .monitor-end { display: flex; align-items: center; justify-content: center; gap: 0.75rem; min-block-size: 3rem; color: var(--ink-faint); font-size: var(--small); }
    @container monitors (width < 760px) {
      .monitor-head { display: none; }
      .monitor-rows li { grid-template-columns: minmax(0, 1fr) auto; grid-template-rows: auto auto; align-content: center; gap: 0.35rem 0.75rem; block-size: 5.75rem; }
      .monitor-rows .who { order: 1; }
      .monitor-rows .state { order: 2; }
      .monitor-rows hs-states { order: 3; }
      .monitor-rows .latency { order: 4; }
      .monitor-rows .day, .monitor-rows .name button { display: none; }
    }
  `;

  parts = new ListParts(this, (cursor, signal) => {
    const { state, tag, q, sort = 'state' } = this.query ?? {};
    return api.get('/monitors', { query: { state, tag, q, sort, cursor, limit: PART }, signal, timeout: REFRESH_MS });
  });
  uptimes = new Uptimes(this);
  live = new Live(this, {
    'monitors.changed': ({ data }) => this.#changed(data),
    'monitors.redefined': () => this.#soon(),
    reset: () => this.#soon(),
  });
  #timer = null;
  #sooner = null;
  #typing = null;
  #asked = null;
  #rowHeight = 60;
  #tags = new Set();
  #frame = null;
  #place = () => {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      if (this.isConnected) this.#look();
    });
  };

  constructor() {
    super();
    this.from = 0;
    this.to = 40;
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('scroll', this.#place, { passive: true });
    window.addEventListener('resize', this.#place);
    document.addEventListener('visibilitychange', this.#place);
    this.#timer = setInterval(() => this.#refresh(), REFRESH_MS);
    this.#asked = null;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('scroll', this.#place);
    window.removeEventListener('resize', this.#place);
    document.removeEventListener('visibilitychange', this.#place);
    clearInterval(this.#timer);
    clearTimeout(this.#sooner);
    clearTimeout(this.#typing);
  }

  /** Reads again what is looked at. */
  reload() {
    return this.parts.refresh(this.from, this.to);
  }

  willUpdate() {
    const asked = JSON.stringify(this.query ?? {});
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.parts.begin();
  }

  render() {
    const { rows, error, begun, loading } = this.parts;
    return html`
      ${this.#bar()}
      ${this.#chips()}
      ${error ? this.#unanswered(error, rows) : nothing}
      ${begun ? this.#box(rows) : error ? nothing : html`<hs-loading label="Loading monitors…"></hs-loading>`}
      <p class="visually-hidden" role="status">${loading ? '' : `${count(rows.length, 'monitor')} listed${this.parts.ended ? '' : ', and there are more'}`}</p>
    `;
  }

  #bar() {
    const { q = '', tag = '', sort = 'state' } = this.query ?? {};
    return html`
      <div class="monitor-bar" role="search">
        <div class="search">
          <hs-icon name="search"></hs-icon>
          <input type="search" name="q" aria-label="Search monitors" placeholder="Search name, id or target" .value=${q} @input=${(event) => this.#typed({ q: event.target.value })}>
        </div>
        <input class="tag" name="tag" type="search" list="monitor-tags" aria-label="Tag" placeholder="Any tag" .value=${tag} autocomplete="off" @input=${(event) => this.#typed({ tag: event.target.value.trim() })}>
        <datalist id="monitor-tags">${[...this.#tags].sort().map((name) => html`<option value=${name}></option>`)}</datalist>
        <select name="sort" aria-label="Order" @change=${(event) => this.#ask({ sort: event.target.value })}>
          ${Object.entries(SORTS).map(([value, label]) => html`<option value=${value} ?selected=${value === sort}>${label}</option>`)}
        </select>
      </div>
    `;
  }

  #chips() {
    const chosen = this.query?.state ?? '';
    const counts = this.summary?.states ?? {};
    const shown = STATES.filter((state) => state === chosen || counts[state] > 0 || state === 'up' || state === 'down');
    return html`
      <div class="monitor-chips" role="group" aria-label="State">
        <button aria-pressed=${chosen === ''} data-state="" @click=${() => this.#ask({ state: '' })}>All <b>${number(this.summary?.total)}</b></button>
        ${shown.map((state) => html`
          <button aria-pressed=${chosen === state} data-state=${state} @click=${() => this.#ask({ state: chosen === state ? '' : state })}>
            <hs-dot state=${state}></hs-dot>${words(state)} <b>${number(counts[state])}</b>
          </button>`)}
      </div>
    `;
  }

  #unanswered(error, rows) {
    if (rows.length === 0 || error.kind === 'http') return html`<hs-error .error=${error} @retry=${() => this.reload()}></hs-error>`;
    return html`
      <hs-banner state="down" heading="How the monitors are is not known at present">
        The server does not answer. What is listed was last heard ${relative(rows.reduce((last, { readAt }) => Math.max(last, readAt), 0))}.
        <button slot="actions" @click=${() => this.reload()}>Try again</button>
      </hs-banner>
    `;
  }

  #box(rows) {
    if (rows.length === 0) return this.#none();
    const oldest = this.parts.error?.kind ? Infinity : Date.now() - OLD_MS; // where nobody answers, nothing is known
    const drawn = rows.slice(this.from, this.to);
    return html`
      <div class="monitor-box">
        <div class="monitor-head" aria-hidden="true"><span>Monitor</span><span>Last checks</span><span class="numeric">Latency</span><span class="numeric">24 hours</span><span>State</span></div>
        <ol class="monitor-rows" aria-label="Monitors" @keydown=${this.#pressed}>
          ${repeat(drawn, ({ id }) => id, (row, i) => this.#row(row, this.from + i, row.readAt < oldest))}
        </ol>
        <div class="monitor-end">
          ${this.parts.ended ? count(rows.length, 'monitor') : html`<button name="more" @click=${() => this.parts.more()}>${this.parts.loading ? 'Loading…' : 'Show more'}</button>`}
        </div>
      </div>
    `;
  }

  #row(row, place, old) {
    const state = old ? 'unknown' : row.state;
    const day = this.uptimes.of(row.id);
    const failing = row.error && (row.state === 'down' || row.state === 'degraded' || row.state === 'stale');
    const what = failing ? row.error : row.target ?? `${row.type}, every ${row.interval}`;
    return html`
      <li data-id=${row.id} data-state=${state ?? 'unknown'} aria-posinset=${place + 1} aria-setsize=${this.parts.ended ? this.parts.rows.length : -1} @click=${(event) => this.#clicked(event, row)}>
        <div class="who">
          <hs-dot state=${state}></hs-dot>
          <div>
            <div class="name">
              <a href=${href(`/monitors/${row.id}`)} title=${row.name}>${row.name}</a>
              ${row.tags.slice(0, 3).map((tag) => html`<button title="Only those with the tag ${tag}" @click=${() => this.#ask({ tag })}>${tag}</button>`)}
            </div>
            <div class="what ${failing ? 'why' : ''}" title=${what}>${what}</div>
          </div>
        </div>
        <hs-states label="Last checks of ${row.name}" .items=${beats(row)} max="30"></hs-states>
        <span class="numeric latency" title=${row.checked_at ? `Checked ${dateTime(row.checked_at)}` : nothing}>${duration(row.latency_ms)}</span>
        <span class="numeric day uptime-${uptimeTone(day)}" title="Uptime of the last 24 hours">${uptimeText(day)}</span>
        <span class="state"><hs-pill state=${state}>${old ? `Was ${row.state}` : words(row.state ?? 'unknown')}</hs-pill></span>
      </li>
    `;
  }

  #none() {
    const { state, tag, q } = this.query ?? {};
    return html`
      <hs-empty heading="No monitor is like that" icon="monitors">
        ${state ? `None is ${state}` : 'None'}${tag ? ` with the tag ${tag}` : ''}${q ? ` and has “${q}” in its name, id or target` : ''}.
        <button @click=${() => this.#ask({ state: '', tag: '', q: '' })}>Show all</button>
      </hs-empty>
    `;
  }

  updated() {
    const list = this.renderRoot.querySelector('.monitor-rows');
    if (!list) return;
    // Before anything is measured: a list that is too short for a moment would move the window.
    list.style.paddingBlockStart = `${this.from * this.#rowHeight}px`;
    list.style.paddingBlockEnd = `${Math.max(0, this.parts.rows.length - this.to) * this.#rowHeight}px`;
    this.#place();
  }

  // Which rows the window shows now; the next part is read before its place is reached.
  #look() {
    const list = this.renderRoot.querySelector('.monitor-rows');
    if (!list || document.hidden) return;
    this.#rowHeight = list.firstElementChild?.offsetHeight || this.#rowHeight;
    const top = list.getBoundingClientRect().top;
    const last = this.parts.rows.length;
    const first = Math.floor(-top / this.#rowHeight);
    const end = Math.ceil((window.innerHeight - top) / this.#rowHeight);
    this.from = Math.max(0, Math.min(first - AROUND, last - 1));
    this.to = Math.max(this.from + 1, Math.min(end + AROUND, last));
    if (end + 2 * AROUND > last && !this.parts.error) this.parts.more();
    const seen = this.parts.rows.slice(this.from, this.to);
    this.uptimes.want(seen.map(({ id }) => id));
    seen.forEach(({ tags }) => tags.forEach((tag) => this.#tags.size < 200 && this.#tags.add(tag)));
    if (seen.some(({ readAt }) => readAt < Date.now() - OLD_MS)) this.#soon();
  }

  #refresh() {
    if (document.hidden) return;
    this.reload();
    this.requestUpdate(); // what has become old meanwhile must look so
  }

  #changed(data) {
    this.parts.apply(data?.items ?? []);
    const orderMatters = this.query?.state || (this.query?.sort ?? 'state') !== 'name';
    if (data?.more || orderMatters) this.#soon();
  }

  #soon() {
    this.#sooner ??= setTimeout(async () => {
      await this.reload();
      this.#sooner = null;
    }, SOON_MS);
  }

  #clicked(event, row) {
    if (event.target.closest('a, button') || String(getSelection()) !== '') return;
    navigate(`/monitors/${row.id}`);
  }

  #pressed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest('li');
    if (!step || !row) return;
    const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    next?.querySelector('a').focus();
    event.preventDefault();
  }

  #typed(part) {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#ask(part), TYPING_MS);
  }

  #ask(part) {
    this.dispatchEvent(new CustomEvent('asked', { detail: part }));
  }
}

function beats(row) {
  return (row.beats ?? []).map(([at, state, ms]) => ({ state, text: `${timeOrDate(at)} ${state}, ${duration(ms)}` }));
}

customElements.define('monitor-list', MonitorList);
