// <live-map .regions .at @moved>: the map with everybody on it, and beside it a search, or the driver that was picked.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { Live } from '../../live.js';
import { Poll } from '../../poll.js';
import { COLOURS } from './statuses.js';
import './driver-map.js';
import './driver-panel.js';
import './driver-search.js';
import '../../components/hs-card.js';
import '../../components/hs-icon.js';
import '../../components/hs-notice.js';

const REFRESH_MS = 1000;
const WORLD = { south: -90, west: -180, north: 90, east: 180 };
const CELLS = 32;
const STEPS = 5;

class LiveMap extends LightElement {
  static properties = { regions: { attribute: false }, at: { attribute: false }, chosen: { state: true }, search: { state: true }, found: { state: true }, home: { state: true } };
  static styles = css`
    .live-map { display: grid; grid-template-columns: minmax(0, 1fr) 21rem; gap: 1rem; align-items: start; }
    .live-map > * { min-inline-size: 0; }
    .live-map-side { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
    .map-legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin-block-start: 0.5rem; font-size: var(--small); color: var(--ink-faint); }
    .map-legend span { display: inline-flex; align-items: center; gap: 0.4rem; }
    .map-legend i { inline-size: 0.65rem; block-size: 0.65rem; border-radius: 50%; }
    .map-legend .available { background: var(--up-fill); }
    .map-legend .reserved { background: var(--degraded-fill); }
    .map-legend .busy { background: var(--busy-fill); }
    .map-legend .offline { background: var(--unknown-fill); }
    @media (max-width: 1120px) { .live-map { grid-template-columns: minmax(0, 1fr); } }
  `;

  #looked = null;
  poll = new Poll(this, REFRESH_MS, (signal) => this.#ask(signal));
  live = new Live(this, { 'drivers.status': () => {}, reset: () => this.poll.refresh() });

  async #ask(signal) {
    const look = (query) => api.get('/drivers/map', { query, signal, timeout: 5000 });
    this.home ??= await whereabouts(look);
    return this.#looked ? look({ ...this.#looked.box, cells: this.#looked.cells }) : { items: this.home };
  }

  render() {
    return html`
      ${this.poll.error ? html`<hs-error .error=${this.poll.error} @retry=${() => this.poll.refresh()}></hs-error>` : nothing}
      <div class="live-map">
        <div>
          <driver-map .marks=${this.poll.data?.items ?? []} .regions=${this.regions ?? []} .search=${this.search} .found=${this.found}
            .home=${this.home} .at=${this.at} .chosen=${this.chosen}
            @looked=${this.#look} @place=${({ detail }) => this.#place(detail)} @pick=${({ detail }) => this.#pick(detail)}></driver-map>
          <div class="map-legend" aria-hidden="true">
            ${Object.keys(COLOURS).map((state) => html`<span><i class=${state}></i>${state}</span>`)}
            <span>Click the ground to search there, a driver to look at it.</span>
          </div>
        </div>
        <div class="live-map-side">
          ${this.chosen ? html`<driver-panel driver=${this.chosen} @closed=${() => (this.chosen = null)} @show=${({ detail }) => this.#map.show(detail)}></driver-panel>` : nothing}
          <driver-search .place=${this.search} @searched=${this.#searched} @pick=${({ detail }) => this.#pick(detail)}></driver-search>
        </div>
      </div>
    `;
  }

  get #map() {
    return this.renderRoot.querySelector('driver-map');
  }

  #look({ detail }) {
    this.#looked = detail;
    this.dispatchEvent(new CustomEvent('moved', { detail: detail.at }));
    this.poll.refresh();
  }

  #place({ lat, lon }) {
    this.search = { radius: 5, ...this.search, lat, lon };
  }

  #searched({ detail: { search, found } }) {
    this.search = search;
    this.found = found;
  }

  #pick(id) {
    this.chosen = id;
  }
}

// Where drivers are, so that the map can begin there: the world first, and from each answer the part of it that has any.
async function whereabouts(look) {
  let box = WORLD;
  for (let step = 0; ; step++) {
    const { items } = await look({ ...box, cells: CELLS });
    const around = surroundings(items, box);
    if (step === STEPS || items.length === 0 || items.every(({ count }) => count === 1) || !around) return items;
    box = around;
  }
}

// Null where it is hardly smaller: then the clusters are as good as their drivers.
function surroundings(items, { south, west, north, east }) {
  const [high, wide] = [(north - south) / CELLS, (east - west) / CELLS];
  const lats = items.map(({ lat }) => lat);
  const lons = items.map(({ lon }) => lon);
  const around = {
    south: Math.max(south, Math.min(...lats) - 2 * high),
    west: Math.max(west, Math.min(...lons) - 2 * wide),
    north: Math.min(north, Math.max(...lats) + 2 * high),
    east: Math.min(east, Math.max(...lons) + 2 * wide),
  };
  return around.north - around.south < (north - south) / 2 || around.east - around.west < (east - west) / 2 ? around : null;
}

customElements.define('live-map', LiveMap);
