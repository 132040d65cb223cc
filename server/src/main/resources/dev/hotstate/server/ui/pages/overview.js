// Overview: how the server and what it stands on are doing, now and over the last minutes.

import { css, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { LightElement } from '../components/light.js';
import { dateTime, duration, elapsed, relative, time, words } from '../format.js';
import { health } from '../health.js';
import { live } from '../live.js';
import { figures, headline, partName } from '../parts.js';
import '../components/hs-card.js';
import '../components/hs-meter.js';
import '../components/hs-notice.js';
import '../components/hs-pill.js';
import '../components/hs-spark.js';
import '../components/hs-states.js';

const BEATS = 60;
const STORES = ['redis', 'postgres'];

export default class OverviewPage extends LightElement {
  static styles = css`
    .hero { display: grid; gap: 1.25rem; }
    .hero h1 { font-size: clamp(1.75rem, 1.2rem + 2.2vw, 2.625rem); letter-spacing: -0.032em; font-weight: 640; }
    .hero h1:focus { outline: none; }
    .hero h1[data-status="down"] { color: var(--down); }
    .hero p { margin-block-start: 0.35rem; color: var(--ink-faint); }
    .hero-axis { display: flex; justify-content: space-between; font-size: var(--tiny); color: var(--ink-faint); margin-block-start: 0.4rem; }
    .old { filter: grayscale(1); opacity: 0.85; }
    .latency { display: grid; grid-template-columns: auto minmax(0, 1fr); align-items: end; gap: 1.5rem; }
    .latency dl { margin: 0; }
    .latency dt { font-size: var(--tiny); color: var(--ink-faint); }
    .latency dd { margin: 0; font-size: 1.75rem; font-weight: 600; letter-spacing: -0.025em; line-height: 1.25; white-space: nowrap; }
    .part-detail { color: var(--ink-soft); font-size: 0.875rem; overflow-wrap: anywhere; }
    .parts { margin: 0; padding: 0; list-style: none; }
    .parts > li { display: grid; grid-template-columns: 10rem minmax(0, 1fr) 7rem; gap: 0.75rem 1.5rem; align-items: start; padding: 1.1rem 1.25rem; }
    .parts > li + li { border-block-start: 1px solid var(--line); }
    .parts > li > hs-pill { justify-self: end; }
    .part-body { display: grid; gap: 1rem; }
    .parts .since { font-size: var(--small); color: var(--ink-faint); }
    @media (max-width: 700px) {
      .parts > li { grid-template-columns: minmax(0, 1fr) auto; }
      .part-body { grid-column: 1 / -1; grid-row: 2; }
    }
    .facts hs-meter { margin-block-start: 0.35rem; }
    .partitions { display: grid; gap: 0.9rem; }
    .partitions h4 { font-size: var(--tiny); font-weight: 500; letter-spacing: 0; color: var(--ink-faint); }
    .partitions ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 7.5rem), 1fr)); gap: 0.5rem; margin: 0.4rem 0 0; padding: 0; list-style: none; }
    .partitions li { display: grid; gap: 0.35rem; padding: 0.5rem 0.65rem; border: 1px solid var(--line); border-radius: var(--radius-small); font-size: var(--small); }
    .partitions li > div { display: flex; align-items: center; gap: 0.45rem; }
    .partitions li b { font-weight: 580; overflow-wrap: anywhere; }
    .partitions li small { margin-inline-start: auto; font-size: var(--tiny); color: var(--ink-faint); }
    .events { margin: 0; padding: 0; list-style: none; max-block-size: 24rem; overflow-y: auto; }
    .events li { display: grid; grid-template-columns: auto auto minmax(0, 1fr) auto; align-items: baseline; gap: 0.2rem 0.75rem; padding: 0.6rem 1.25rem; font-size: 0.875rem; }
    .events li + li { border-block-start: 1px solid var(--line); }
    .events time { color: var(--ink-faint); font-size: var(--small); }
    .events code { color: var(--ink-faint); }
    .events span { overflow-wrap: anywhere; }
    @media (max-width: 700px) { .events code { grid-column: 3; } }
  `;

  #timer = null;
  #changed = () => this.requestUpdate();

  connectedCallback() {
    super.connectedCallback();
    health.addEventListener('change', this.#changed);
    live.addEventListener('status', this.#changed);
    this.#timer = setInterval(this.#changed, 5000); // "3 minutes ago" grows older by itself
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    health.removeEventListener('change', this.#changed);
    live.removeEventListener('status', this.#changed);
    clearInterval(this.#timer);
  }

  render() {
    const { latest, error } = health;
    if (!latest) return html`<div class="page"><h1 tabindex="-1">Overview</h1>${error ? html`<hs-error .error=${error} @retry=${() => health.ask()}></hs-error>` : html`<hs-loading label="Asking for the health of each part…"></hs-loading>`}</div>`;
    const stores = STORES.map((name) => latest.parts.find((part) => part.name === name)).filter(Boolean);
    const others = latest.parts.filter((part) => !STORES.includes(part.name));
    return html`
      <div class="page">
        ${this.#hero(latest)}
        <div class="page ${health.stale ? 'old' : ''}">
          ${stores.length === 0 ? nothing : html`<section class="section"><h2>Stores</h2><div class="grid wide">${stores.map((part) => this.#store(part))}</div></section>`}
          ${others.length === 0 ? nothing : html`<section class="section"><h2>Inside the server</h2><hs-card flush><ul class="parts">${others.map((part) => this.#other(part))}</ul></hs-card></section>`}
        </div>
        <section class="section">
          <div class="section-head"><h2>Recent system events</h2><p>Since you opened the dashboard</p></div>
          ${this.#events()}
        </section>
      </div>
    `;
  }

  #hero(latest) {
    const first = health.beats.at(-BEATS);
    const said = health.stale ? 'No answer from the server' : headline(latest);
    const up = latest.parts.filter((part) => part.status === 'up').length;
    return html`
      <p class="visually-hidden" role="status">${said}</p>
      <section class="hero" aria-labelledby="headline">
        <div>
          <h1 id="headline" tabindex="-1" data-status=${health.stale ? 'unknown' : latest.status}>${said}</h1>
          <p>${health.stale
            ? html`What follows was true ${relative(health.receivedAt)}.`
            : html`${up} of ${latest.parts.length} parts are up${this.#lastChange(latest)}.`}</p>
        </div>
        <div>
          <hs-states label="Health while this page is open" .items=${health.beats} max=${BEATS}></hs-states>
          <div class="hero-axis" aria-hidden="true"><span>${health.beats.length < BEATS ? 'Health since you opened the dashboard' : relative(first.at)}</span><span>Now</span></div>
        </div>
      </section>
    `;
  }

  #lastChange(latest) {
    const last = latest.parts.map((part) => part.since).filter(Boolean).sort().at(-1);
    return last ? `. Last change ${relative(last)}` : '';
  }

  #store(part) {
    const latency = part.figures?.latency_ms;
    const shown = part.status === 'down' ? undefined : latency;
    return html`
      <hs-card heading=${partName(part.name)} level="3" state=${part.status} data-part=${part.name}>
        ${part.detail ? html`<p class="part-detail">${part.detail}</p>` : nothing}
        <div class="latency">
          <dl><dt>Latency</dt><dd>${duration(shown)}</dd></dl>
          <hs-spark label="Latency of ${partName(part.name)}" .samples=${health.samples(part.name, 'latency_ms')} .format=${duration}></hs-spark>
        </div>
        ${this.#figures(part, ['latency_ms'])}
        ${this.#since(part)}
      </hs-card>
    `;
  }

  #other(part) {
    return html`
      <li data-part=${part.name}>
        <div class="part-name">
          <h3>${partName(part.name)}</h3>
          ${this.#since(part)}
        </div>
        <div class="part-body">
          ${part.detail ? html`<p class="part-detail">${part.detail}</p>` : nothing}
          ${this.#figures(part)}
          ${Array.isArray(part.partitions) && part.partitions.length > 0 ? this.#partitions(part.partitions) : nothing}
        </div>
        <hs-pill state=${part.status}></hs-pill>
      </li>
    `;
  }

  #figures(part, hidden) {
    const list = figures(part, hidden);
    if (list.length === 0) return nothing;
    return html`
      <dl class="facts">
        ${list.map((figure) => html`
          <div>
            <dt>${figure.label}</dt>
            <dd>${figure.text}${figure.max ? html`<hs-meter label=${figure.label} .value=${figure.value} .max=${figure.max} text=${figure.text}></hs-meter>` : nothing}</dd>
          </div>`)}
      </dl>
    `;
  }

  #partitions(partitions) {
    const groups = Map.groupBy(partitions, (partition) => partition.feature ?? '');
    return html`
      <div class="partitions">
        ${[...groups].map(([feature, members]) => html`
          <div>
            <h4>${feature || 'Partitions'}</h4>
            <ul>${members.map((partition) => this.#partition(partition))}</ul>
          </div>`)}
      </div>
    `;
  }

  #partition({ partition, incarnation, state, progress }) {
    const name = `Partition ${partition}`;
    return html`
      <li title="${name}, incarnation ${incarnation}">
        <div><hs-dot state=${state} label=${state}></hs-dot><b>${partition}</b><small>${state === 'rebuilding' && typeof progress === 'number' ? `${Math.round(progress * 100)}%` : state}</small></div>
        ${state === 'rebuilding' ? html`<hs-meter label="Rebuild of ${name}" .value=${progress ?? 0} max="1" state="rebuilding"></hs-meter>` : nothing}
      </li>
    `;
  }

  #since(part) {
    return part.since ? html`<p class="since" slot="footer" title=${dateTime(part.since)}>${words(part.status)} for ${elapsed(part.since)}</p>` : nothing;
  }

  #events() {
    if (health.events.length === 0) return html`<hs-card><hs-empty heading="Nothing has happened">Changes of health, rebuilds and failovers appear here as they happen.</hs-empty></hs-card>`;
    return html`
      <hs-card flush>
        <ol class="events" tabindex="0" aria-label="Recent system events">
          ${repeat(health.events, (event) => event.key, (event) => html`
            <li>
              <time datetime=${new Date(event.at).toISOString()}>${time(event.at)}</time>
              <hs-dot state=${event.state ?? 'unknown'}></hs-dot>
              <span>${event.text}</span>
              <code>${event.name}</code>
            </li>`)}
        </ol>
      </hs-card>
    `;
  }
}

customElements.define('overview-page', OverviewPage);
