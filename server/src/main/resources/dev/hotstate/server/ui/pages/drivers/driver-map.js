// <driver-map .marks .regions .search .found .chosen .draws @looked @place @pick @boxed>: a map that needs no tiles. Drag
// to move, wheel or pinch to zoom; with the focus: arrows move, + and - zoom, 0 shows every driver.
//
// marks    what /drivers/map answers          regions  what /regions answers
// search   {lat, lon, radius} in km, or null  found    what /drivers/available answers
// chosen   the id of a driver                 draws    a drag makes a box instead of moving
// home     what it shows first and at 0: places; `at`: or {lat, lon, zoom}
//
// looked (detail: {box, cells, at}) when another part is shown; place ({lat, lon}) for a click on the ground; pick (an id)
// for one on a driver; boxed ({south, west, north, east}) for a box. A click on a cluster goes nearer.

import { css, html, nothing } from 'lit';
import { Drawing } from '../../canvas.js';
import { LightElement } from '../../components/light.js';
import { number } from '../../format.js';
import * as layers from './map-layers.js';
import { View } from './mercator.js';
import { Tiles } from './tiles.js';

const STEP = 80;
const CELL = 46; // pixels
const LOOKED_MS = 120;
const STILL = 5; // pixels that a click may travel

class DriverMap extends LightElement {
  static properties = {
    marks: { attribute: false },
    regions: { attribute: false },
    search: { attribute: false },
    found: { attribute: false },
    home: { attribute: false },
    at: { attribute: false },
    chosen: {},
    draws: { type: Boolean },
  };
  static styles = css`
    driver-map { display: block; }
    .driver-map { position: relative; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); overflow: clip; }
    .driver-map canvas { display: block; inline-size: 100%; block-size: clamp(20rem, 62vh, 46rem); cursor: crosshair; touch-action: none; }
    .driver-map canvas.moving { cursor: grabbing; }
    .driver-map canvas.on-mark { cursor: pointer; }
    .driver-map canvas:focus-visible { outline-offset: -3px; }
    .driver-map-tools { position: absolute; inset-block-start: 0.6rem; inset-inline-end: 0.6rem; display: flex; gap: 0.3rem; }
    .driver-map-tools button { min-inline-size: 2.1rem; min-block-size: 2.1rem; padding: 0 0.5rem; }
    .driver-map-thanks { position: absolute; inset-block-end: 0; inset-inline-end: 0; padding: 0 0.4rem; border-start-start-radius: var(--radius-small); background: var(--surface); color: var(--ink-faint); font-size: 0.6875rem; }
    .driver-map-tip { position: absolute; inset-block-start: 0.7rem; inset-inline-start: 0.7rem; max-inline-size: calc(100% - 11rem); padding: 0.15rem 0.5rem; border-radius: var(--radius-small); background: var(--raised); box-shadow: var(--shadow-high); font-size: var(--small); color: var(--ink-soft); overflow-wrap: anywhere; pointer-events: none; }
  `;

  view = new View();
  #tiles = new Tiles(() => this.#drawing?.redraw());
  #drawing = null;
  #painted = [];
  #pointers = new Map();
  #travelled = 0;
  #drawn = null;
  #over = null;
  #looked = null;
  #homed = false;

  render() {
    const all = this.marks ?? [];
    const drivers = all.reduce((sum, { count }) => sum + count, 0);
    return html`
      <div class="driver-map" data-marks=${all.length} data-drivers=${drivers}>
        <canvas tabindex="0" role="img" aria-label="A map of ${number(drivers)} drivers; they are listed under Drivers"
          @wheel=${this.#wheel} @pointerdown=${this.#down} @pointermove=${this.#move} @pointerup=${this.#up} @pointercancel=${this.#up}
          @pointerleave=${() => this.#hover(null)} @keydown=${this.#pressed}></canvas>
        <div class="driver-map-tools">
          <button aria-label="Zoom in" title="Zoom in" @click=${() => this.#changed(this.view.zoom(2))}>+</button>
          <button aria-label="Zoom out" title="Zoom out" @click=${() => this.#changed(this.view.zoom(0.5))}>−</button>
          <button aria-label="Show every driver" title="Show every driver" @click=${() => this.#goHome()}>Fit</button>
        </div>
        <div class="driver-map-tip" hidden></div>
        ${this.#tiles.attribution ? html`<small class="driver-map-thanks">${this.#tiles.attribution}</small>` : nothing}
      </div>
    `;
  }

  firstUpdated() {
    this.#begin();
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated) this.#begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#looked);
    this.#drawing?.stop();
    this.#drawing = null;
  }

  updated(changed) {
    if (changed.has('home') && !this.#homed) this.#first();
    this.#drawing?.redraw();
  }

  /** Moves a driver, or any place, into the middle. */
  show({ lat, lon }) {
    this.view.go({ lat, lon, zoom: Math.max(13, this.view.centre.zoom) });
    this.#changed();
  }

  get #canvas() {
    return this.renderRoot.querySelector('canvas');
  }

  #begin() {
    this.#drawing = new Drawing(this.#canvas, (...all) => this.#draw(...all));
    this.#drawing.redraw();
  }

  #draw(context, width, height, colour) {
    if (this.view.resize(width, height)) this.#first();
    const { view } = this;
    layers.ground(context, view, colour);
    this.#tiles.draw(context, view);
    const labels = layers.graticule(context, view, colour);
    const names = layers.regions(context, view, colour, this.regions ?? []);
    if (this.search) layers.search(context, view, colour, this.search);
    this.#painted = layers.marks(context, view, colour, this.marks ?? [], this.chosen);
    if (this.search) layers.found(context, view, colour, this.search, this.found ?? []);
    if (this.#drawn) layers.box(context, colour, this.#drawn.from, this.#drawn.to);
    layers.names(context, colour, names);
    layers.degrees(context, colour, labels);
    const scale = layers.scaleBar(context, view, colour);
    // What is painted cannot be asked for; so it can.
    Object.assign(this.#canvas.dataset, { lines: labels.length, regions: names.map(([name]) => name).join(' '), scale });
  }

  // Only once its size is known and there is something to show; until then the whole world is.
  #first() {
    if (this.view.width === 0) return;
    if (!this.#homed && this.at) this.view.go(this.at);
    else if (!this.#homed && this.home?.length > 0) this.view.fit(this.home);
    this.#homed ||= Boolean(this.at) || this.home?.length > 0;
    this.#changed();
  }

  #goHome() {
    if (this.home?.length > 0) this.view.fit(this.home);
    else this.view.zoom(0);
    this.#changed();
  }

  #changed() {
    this.#drawing?.redraw();
    clearTimeout(this.#looked);
    this.#looked = setTimeout(() => {
      const cells = Math.round(Math.max(this.view.width, this.view.height) / CELL);
      this.#tell('looked', { box: this.view.box, cells: Math.min(64, Math.max(4, cells)), at: this.view.centre });
    }, LOOKED_MS);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #wheel(event) {
    event.preventDefault();
    this.#changed(this.view.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)), event.offsetX, event.offsetY));
  }

  #down(event) {
    if (event.button !== 0) return;
    event.target.setPointerCapture(event.pointerId);
    const at = { x: event.offsetX, y: event.offsetY };
    this.#pointers.set(event.pointerId, at);
    this.#travelled = 0;
    this.#drawn = this.draws && this.#pointers.size === 1 ? { from: at, to: at } : null;
  }

  #move(event) {
    const now = { x: event.offsetX, y: event.offsetY };
    const before = this.#pointers.get(event.pointerId);
    if (!before) return this.#hover(this.#under(now));
    this.#pointers.set(event.pointerId, now);
    if (this.#pointers.size === 2) return this.#pinch(event.pointerId, before, now);
    this.#travelled += distance(before, now);
    if (this.#travelled <= STILL) return;
    if (this.#drawn) {
      this.#drawn.to = now;
      this.#drawing?.redraw();
    } else {
      this.#canvas.classList.add('moving');
      this.#changed(this.view.shift(now.x - before.x, now.y - before.y));
    }
  }

  #pinch(id, before, now) {
    const [, other] = [...this.#pointers].find(([pointer]) => pointer !== id);
    this.#travelled += STILL + 1;
    this.#drawn = null;
    this.#changed(this.view.zoom(distance(now, other) / Math.max(1, distance(before, other)), other.x, other.y));
  }

  #up(event) {
    const known = this.#pointers.delete(event.pointerId);
    this.#canvas.classList.remove('moving');
    const drawn = this.#drawn;
    this.#drawn = null;
    this.#drawing?.redraw();
    if (!known || event.type === 'pointercancel') return;
    const at = { x: event.offsetX, y: event.offsetY };
    if (this.#travelled <= STILL) this.#clicked(at);
    else if (drawn) this.#boxed(drawn.from, at);
  }

  #clicked(at) {
    const hit = this.#under(at);
    if (hit?.mark.id !== undefined) this.#tell('pick', hit.mark.id);
    else if (hit) this.#changed(this.view.zoom(3, at.x, at.y));
    else this.#tell('place', this.view.under(at.x, at.y));
  }

  #boxed(a, b) {
    const northWest = this.view.under(Math.min(a.x, b.x), Math.min(a.y, b.y));
    const southEast = this.view.under(Math.max(a.x, b.x), Math.max(a.y, b.y));
    this.#tell('boxed', { south: southEast.lat, west: northWest.lon, north: northWest.lat, east: southEast.lon });
  }

  #pressed(event) {
    const shifts = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
    if (event.key in shifts) this.#changed(this.view.shift(...shifts[event.key]));
    else if (event.key === '+' || event.key === '=') this.#changed(this.view.zoom(2));
    else if (event.key === '-') this.#changed(this.view.zoom(0.5));
    else if (event.key === '0') this.#goHome();
    else return;
    event.preventDefault();
  }

  #under({ x, y }) {
    return this.#painted.findLast(({ left, top, radius }) => Math.hypot(left - x, top - y) <= radius + 3) ?? null;
  }

  #hover(hit) {
    if (hit?.mark === this.#over) return;
    this.#over = hit?.mark ?? null;
    this.#canvas.classList.toggle('on-mark', hit !== null);
    const tip = this.renderRoot.querySelector('.driver-map-tip');
    tip.hidden = hit === null;
    tip.textContent = hit ? told(hit.mark) : '';
  }
}

function told({ id, count, available, reserved, busy, offline }) {
  const states = Object.entries({ available: available - reserved, reserved, busy, offline }).filter(([, n]) => n > 0);
  if (count === 1) return `${id ?? 'A driver'}: ${states[0]?.[0] ?? ''}`;
  return `${number(count)} drivers: ${states.map(([state, n]) => `${number(n)} ${state}`).join(', ')}`;
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

customElements.define('driver-map', DriverMap);
