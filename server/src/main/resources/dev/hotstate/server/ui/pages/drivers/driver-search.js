// <driver-search .place=${{lat, lon, radius}} @searched @pick>: who is free around a place, nearest first, asked again
// while it is looked at; and the nearest one reserved. `searched` tells what was asked and found, or null.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { duration, number } from '../../format.js';
import { Poll } from '../../poll.js';
import { session } from '../../session.js';
import './driver-reservation.js';
import '../../components/hs-card.js';
import '../../components/hs-icon.js';
import '../../components/hs-notice.js';

const REFRESH_MS = 2000;
const NUMBERED = 9;

class DriverSearch extends LightElement {
  static properties = { place: { attribute: false }, asked: { state: true }, error: { state: true }, reservations: { state: true }, ended: { state: true } };
  static styles = css`
    .driver-search { display: grid; gap: 0.75rem; }
    .driver-search-fields { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem 0.75rem; }
    .driver-search-fields input, .driver-search-fields select { inline-size: 100%; min-inline-size: 0; }
    .driver-found { display: grid; gap: 2px; margin: 0; padding: 0; list-style: none; max-block-size: 22rem; overflow-y: auto; }
    .driver-found button { inline-size: 100%; justify-content: start; gap: 0.6rem; padding: 0 0.5rem; border-color: transparent; background: none; font-weight: 500; }
    .driver-found button:hover { background: var(--hover); }
    .driver-found b { flex: none; display: grid; place-content: center; inline-size: 1.25rem; block-size: 1.25rem; border-radius: 50%; background: var(--ember); color: var(--on-ember); font-size: 0.6875rem; }
    .driver-found b.far { background: var(--unknown-tint); color: var(--ink-soft); }
    .driver-found code { overflow: hidden; text-overflow: ellipsis; }
    .driver-found span { margin-inline-start: auto; color: var(--ink-faint); font-size: var(--small); }
  `;

  poll = new Poll(this, REFRESH_MS, (signal) => this.#ask(signal), (found) => this.#found(found));

  constructor() {
    super();
    this.asked = { radius: '5', tag: '', limit: '10', sort: 'distance' };
    this.reservations = [];
  }

  updated(changed) {
    if (!changed.has('place') || !this.place) return;
    const { lat, lon } = changed.get('place') ?? {};
    if (lat === this.place.lat && lon === this.place.lon) return;
    this.asked = { ...this.asked, lat: this.place.lat.toFixed(5), lon: this.place.lon.toFixed(5) };
    this.poll.data = null;
    this.poll.refresh();
  }

  async #ask(signal) {
    if (!this.asked.lat || !this.asked.lon) return null;
    return { search: { ...this.asked }, answer: await api.get('/drivers/available', { query: this.asked, signal, timeout: 5000 }) };
  }

  #found(found) {
    if (!found) return;
    const { lat, lon, radius } = found.search;
    this.#tell('searched', { search: { lat: Number(lat), lon: Number(lon), radius: Number(radius) }, found: found.answer.items });
  }

  render() {
    const { radius, tag, limit, sort, lat = '', lon = '' } = this.asked;
    return html`
      <hs-card heading="Who is free" level="2">
        <form class="driver-search" @submit=${this.#search}>
          <div class="driver-search-fields" @input=${this.#write} @change=${this.#search}>
            ${field('lat', 'Latitude', lat)}${field('lon', 'Longitude', lon)}
            ${field('radius', 'Within km', radius)}${field('tag', 'With the tag', tag)}
            ${field('limit', 'At most', limit)}
            <div class="field"><label for="search-sort">Best by</label><select id="search-sort" name="sort">${['distance', 'score'].map((by) => html`<option value=${by} ?selected=${by === sort}>${by}</option>`)}</select></div>
          </div>
          <div class="buttons">
            <button type="submit" name="search"><hs-icon name="search"></hs-icon>Search</button>
            ${session.can('operator') ? html`<button type="button" class="primary" name="reserve" ?disabled=${!lat || !lon} @click=${this.#reserve}>Reserve the nearest</button>` : nothing}
          </div>
        </form>
        ${this.error ? html`<hs-error no-retry .error=${this.error}></hs-error>` : nothing}
        ${this.reservations.map((one) => html`<driver-reservation .reservation=${one} @ended=${({ detail }) => this.#ended(one, detail)} @pick=${() => this.#tell('pick', one.driver.id)}></driver-reservation>`)}
        ${this.ended ? html`<p class="small" role="status" data-ended>${this.ended}</p>` : nothing}
        ${this.poll.error ? html`<hs-error no-retry .error=${this.poll.error}></hs-error>` : this.#answer()}
      </hs-card>
    `;
  }

  #answer() {
    const found = this.poll.data?.answer;
    if (!found) return html`<p class="muted small">Click the map, or write a place.</p>`;
    return html`
      <div class="muted small" data-found=${found.items.length} role="status">
        ${found.items.length === 0 ? 'Nobody is free there.' : `${number(found.items.length)} found, nearest first`}${found.source === 'postgres' ? `; from PostgreSQL, ${duration(found.stale_by_ms)} old` : ''}
      </div>
      <ol class="driver-found">
        ${found.items.map((driver, i) => html`
          <li><button data-driver=${driver.id} title=${why(driver)} @click=${() => this.#tell('pick', driver.id)}>
            <b class=${i < NUMBERED ? nothing : 'far'}>${i + 1}</b><code>${driver.id}</code><span>${distance(driver.distance_km)}${driver.score === undefined ? '' : ` · ${number(driver.score)}`}</span>
          </button></li>`)}
      </ol>
    `;
  }

  #write({ target }) {
    this.asked = { ...this.asked, [target.name]: target.value.trim() };
  }

  #search(event) {
    event.preventDefault();
    this.error = this.ended = null;
    this.poll.refresh();
  }

  async #reserve() {
    const { lat, lon, radius, tag } = this.asked;
    try {
      const { items } = await api.post('/reservations', { lat: Number(lat), lon: Number(lon), radius: Number(radius), tag: tag || undefined, lease: '1m', holder: 'dashboard' });
      this.reservations = [...items, ...this.reservations];
      this.error = this.ended = null;
    } catch (error) {
      this.error = error;
    }
    this.poll.refresh();
  }

  #ended(one, text) {
    this.ended = text;
    this.reservations = this.reservations.filter((other) => other !== one);
    this.poll.refresh();
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

function field(name, label, value) {
  return html`<div class="field"><label for="search-${name}">${label}</label><input id="search-${name}" name=${name} .value=${value} inputmode=${name === 'tag' ? 'text' : 'decimal'} autocomplete="off" autocapitalize="none" spellcheck="false"></div>`;
}

export function distance(km) {
  return km < 1 ? `${number(Math.round(km * 1000))} m` : `${number(km)} km`;
}

function why({ why: parts }) {
  return parts ? Object.entries(parts).map(([name, part]) => `${name} ${number(part)}`).join(', ') : '';
}

customElements.define('driver-search', DriverSearch);
