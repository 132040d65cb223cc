// <job-graph .graph=${answer of /jobs/{id}/graph} .chosen=${'task'} @pick>: the tasks of a job and what they need, from
// left to right. Drawn on a canvas, and only what is in view, so that thousands of tasks move smoothly: drag to move,
// wheel or pinch to zoom, click a task to choose it. With the focus: arrows move, + and - zoom, 0 shows everything.
// A task is found by its id or name: it is chosen, and moved into the middle. The same tasks stand in the table below for
// those who cannot see it.

import { css, html } from 'lit';
import { LightElement } from '../../components/light.js';
import { Drawing, fitting } from '../../canvas.js';
import { COLOURS, FILLS, countsText } from './statuses.js';
import '../../components/hs-icon.js';

const MARGIN = 24;
const SMALLEST = 0.02; // unless the whole is only seen smaller
const LARGEST = 2.5;
const TEXT_FROM = 0.45; // below that nobody could read it
const EDGES_FROM = 0.04;
const MOST_EDGES = 20_000; // beyond that they are a grey blot from afar
const STEP = 60;

class JobGraph extends LightElement {
  static properties = { graph: { attribute: false }, chosen: {} };
  static styles = css`
    job-graph { display: block; }
    .job-graph { position: relative; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); overflow: clip; }
    .job-graph canvas { display: block; inline-size: 100%; block-size: clamp(18rem, 52vh, 38rem); cursor: grab; touch-action: none; }
    .job-graph canvas:active { cursor: grabbing; }
    .job-graph canvas.on-task { cursor: pointer; }
    .job-graph canvas:focus-visible { outline-offset: -3px; }
    .job-graph-tools { position: absolute; inset-block-start: 0.6rem; inset-inline-end: 0.6rem; display: flex; gap: 0.3rem; }
    .job-graph-tools button { min-inline-size: 2.1rem; min-block-size: 2.1rem; padding: 0 0.5rem; }
    .job-graph-find { position: absolute; inset-block-start: 0.6rem; inset-inline-start: 0.6rem; }
    .job-graph-find input { inline-size: min(14rem, 40vw); min-block-size: 2.1rem; }
    .job-graph-tip { position: absolute; inset-block-end: 0.6rem; inset-inline-start: 0.8rem; max-inline-size: calc(100% - 1.6rem); padding: 0.15rem 0.5rem; border-radius: var(--radius-small); background: var(--raised); font-size: var(--small); color: var(--ink-soft); overflow-wrap: anywhere; pointer-events: none; }
  `;

  #drawing = null;
  #view = { x: 0, y: 0, scale: 1 };
  #moved = false; // by the reader: from then on it stays where it was put
  #nodes = new Map();
  #critical = new Set();
  #pointers = new Map();
  #travelled = 0;
  #over = null;
  #seen = '';

  render() {
    const nodes = this.graph?.nodes ?? [];
    return html`
      <div class="job-graph" data-tasks=${nodes.length}>
        <canvas tabindex="0" role="img" aria-label="The tasks of the job and what they need: ${summary(nodes)}"
          @wheel=${this.#wheel} @pointerdown=${this.#down} @pointermove=${this.#move} @pointerup=${this.#up} @pointercancel=${this.#up}
          @pointerleave=${() => this.#hover(null)} @dblclick=${() => this.#fit()} @keydown=${this.#pressed}></canvas>
        <form class="job-graph-find" role="search" @submit=${this.#find}>
          <input type="search" name="find" placeholder="Find a task" aria-label="Find a task by its id or name" autocomplete="off" @input=${({ target }) => target.setCustomValidity('')}>
        </form>
        <div class="job-graph-tools">
          <button aria-label="Zoom in" title="Zoom in" @click=${() => this.#zoomMiddle(1.3)}>+</button>
          <button aria-label="Zoom out" title="Zoom out" @click=${() => this.#zoomMiddle(1 / 1.3)}>−</button>
          <button aria-label="Show everything" title="Show everything" @click=${() => this.#fit()}>Fit</button>
        </div>
        <div class="job-graph-tip" hidden></div>
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
    this.#drawing?.stop();
    this.#drawing = null;
  }

  #begin() {
    this.#drawing = new Drawing(this.#canvas, (...all) => this.#draw(...all));
    this.#drawing.redraw();
  }

  updated(changed) {
    if (changed.has('graph') && this.graph) {
      this.#nodes = new Map(this.graph.nodes.map((node) => [node.id, node]));
      this.#critical = new Set(this.graph.critical_path ?? []);
      const shape = `${this.graph.id} ${this.graph.nodes.length}`;
      if (shape !== this.#seen) {
        this.#seen = shape;
        this.#moved = false;
      }
    }
    this.#drawing?.redraw();
  }

  get #canvas() {
    return this.renderRoot.querySelector('canvas');
  }

  #draw(context, width, height, colour) {
    if (!this.graph) return;
    if (!this.#moved) this.#view = fitted(this.graph, width, height);
    const { x, y, scale } = this.#view;
    const area = { left: -x / scale, top: -y / scale, right: (width - x) / scale, bottom: (height - y) / scale };
    context.translate(x, y);
    context.scale(scale, scale);
    if (scale >= EDGES_FROM) this.#edges(context, area, scale, colour);
    if (scale < TEXT_FROM) return this.#far(context, area, scale, colour);
    for (const node of this.graph.nodes) {
      if (inside(node, area)) this.#node(context, node, colour);
    }
  }

  // From afar a task is a spot of its colour: all of one colour are one shape, so that 100,000 are drawn in a blink.
  #far(context, area, scale, colour) {
    const spots = new Map();
    for (const node of this.graph.nodes) {
      if (!inside(node, area)) continue;
      if (!spots.has(node.status)) spots.set(node.status, new Path2D());
      spots.get(node.status).rect(node.x, node.y, node.width, node.height);
    }
    for (const [status, spot] of spots) {
      context.fillStyle = colour(FILLS[status] ?? 'unknown-fill');
      context.fill(spot);
    }
    const chosen = this.#nodes.get(this.chosen);
    if (!chosen) return;
    context.lineWidth = 3 / scale;
    context.strokeStyle = colour('ink');
    context.strokeRect(chosen.x, chosen.y, chosen.width, chosen.height);
  }

  #edges(context, area, scale, colour) {
    const plain = new Path2D();
    const critical = new Path2D();
    const near = new Path2D();
    const crowded = scale < TEXT_FROM && this.graph.edges.length > MOST_EDGES;
    for (const { from, to } of this.graph.edges) {
      const a = this.#nodes.get(from);
      const b = this.#nodes.get(to);
      if (!a || !b || !crosses(a, b, area)) continue;
      const chosen = from === this.chosen || to === this.chosen;
      if (crowded && !chosen) continue;
      curve(chosen ? near : this.#critical.has(from) && this.#critical.has(to) ? critical : plain, a, b);
    }
    stroke(context, plain, colour('line-strong'), Math.max(1, 0.6 / scale), 0.45);
    stroke(context, critical, colour('ember'), Math.max(1.6, 0.9 / scale), 0.8);
    stroke(context, near, colour('ink'), Math.max(2, 1.2 / scale), 0.9);
  }

  #node(context, node, colour) {
    const [fill, ink] = COLOURS[node.status] ?? COLOURS.WAITING;
    const chosen = node.id === this.chosen;
    context.beginPath();
    context.roundRect(node.x, node.y, node.width, node.height, 8);
    context.fillStyle = colour(fill);
    context.fill();
    context.lineWidth = chosen ? 3 : this.#critical.has(node.id) ? 2 : 1.2;
    context.strokeStyle = colour(chosen ? 'ink' : this.#critical.has(node.id) ? 'ember' : FILLS[node.status] ?? 'line-strong');
    context.setLineDash(node.status === 'SKIPPED' || node.status === 'CANCELLED' ? [5, 4] : []);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = colour(ink);
    context.font = '580 13px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.fillText(fitting(context, node.name || node.id, node.width - 24), node.x + 12, node.y + 16);
    context.font = '11px system-ui, sans-serif';
    const word = node.status.toLowerCase();
    context.fillText(node.attempt > 1 ? `${word}, attempt ${node.attempt}` : word, node.x + 12, node.y + 32);
  }

  #wheel(event) {
    event.preventDefault();
    const box = this.#canvas.getBoundingClientRect();
    this.#zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - box.left, event.clientY - box.top);
  }

  #down(event) {
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.#pointers.size === 1) this.#travelled = 0;
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    const now = { x: event.offsetX, y: event.offsetY };
    if (!before) return this.#hover(this.#at(now));
    if (this.#pointers.size === 2) {
      const other = [...this.#pointers].find(([id]) => id !== event.pointerId)[1];
      this.#zoom(distance(now, other) / Math.max(1, distance(before, other)), other.x, other.y);
    } else {
      this.#travelled += distance(before, now);
      if (this.#travelled > 4) this.#shift(now.x - before.x, now.y - before.y);
    }
    this.#pointers.set(event.pointerId, now);
  }

  #up(event) {
    const known = this.#pointers.delete(event.pointerId);
    if (!known || event.type === 'pointercancel' || this.#travelled > 4) return;
    const node = this.#at({ x: event.offsetX, y: event.offsetY });
    if (node) this.dispatchEvent(new CustomEvent('pick', { detail: node.id }));
  }

  #pressed(event) {
    const shifts = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
    if (event.key in shifts) this.#shift(...shifts[event.key]);
    else if (event.key === '+' || event.key === '=') this.#zoomMiddle(1.3);
    else if (event.key === '-') this.#zoomMiddle(1 / 1.3);
    else if (event.key === '0') this.#fit();
    else return;
    event.preventDefault();
  }

  // The one of this id, or else the first with this in its id or name; asked again, the next such one.
  #find(event) {
    event.preventDefault();
    const field = event.target.elements.find;
    const wanted = field.value.trim().toLowerCase();
    const nodes = this.graph?.nodes ?? [];
    if (!wanted || nodes.length === 0) return;
    const matches = ({ id, name }) => id.toLowerCase().includes(wanted) || (name ?? '').toLowerCase().includes(wanted);
    const after = nodes.findIndex(({ id }) => id === this.chosen) + 1;
    const exact = nodes.find(({ id }) => id.toLowerCase() === wanted && id !== this.chosen);
    const found = exact ?? nodes.slice(after).find(matches) ?? nodes.find(matches);
    field.setCustomValidity(found ? '' : 'No task has this in its id or name.');
    if (!found) return field.reportValidity();
    this.#show(found);
    this.dispatchEvent(new CustomEvent('pick', { detail: found.id }));
  }

  #show({ x, y, width, height }) {
    const scale = Math.max(this.#view.scale, TEXT_FROM * 1.2);
    const { clientWidth, clientHeight } = this.#canvas;
    this.#moved = true;
    this.#view = { scale, x: clientWidth / 2 - (x + width / 2) * scale, y: clientHeight / 2 - (y + height / 2) * scale };
    this.#drawing?.redraw();
  }

  #fit() {
    this.#moved = false;
    this.#drawing?.redraw();
  }

  #shift(dx, dy) {
    this.#moved = true;
    this.#view = { ...this.#view, x: this.#view.x + dx, y: this.#view.y + dy };
    this.#drawing?.redraw();
  }

  #zoomMiddle(factor) {
    this.#zoom(factor, this.#canvas.clientWidth / 2, this.#canvas.clientHeight / 2);
  }

  #zoom(factor, atX, atY) {
    const { x, y, scale } = this.#view;
    const whole = this.graph ? fitted(this.graph, this.#canvas.clientWidth, this.#canvas.clientHeight).scale : SMALLEST;
    const wanted = Math.min(LARGEST, Math.max(Math.min(SMALLEST, whole), scale * factor));
    const by = wanted / scale;
    this.#moved = true;
    this.#view = { scale: wanted, x: atX - (atX - x) * by, y: atY - (atY - y) * by };
    this.#drawing?.redraw();
  }

  #at(point) {
    const { x, y, scale } = this.#view;
    const px = (point.x - x) / scale;
    const py = (point.y - y) / scale;
    return this.graph?.nodes.find((node) => px >= node.x && px <= node.x + node.width && py >= node.y && py <= node.y + node.height) ?? null;
  }

  #hover(node) {
    if (node?.id === this.#over) return;
    this.#over = node?.id ?? null;
    this.#canvas.classList.toggle('on-task', node !== null);
    const tip = this.renderRoot.querySelector('.job-graph-tip');
    tip.hidden = node === null;
    tip.textContent = node ? `${node.name === node.id ? node.id : `${node.name} (${node.id})`}: ${node.status.toLowerCase()}` : '';
  }
}

function fitted({ width, height }, w, h) {
  const room = (length) => Math.max(length - 2 * MARGIN, length / 2);
  const scale = Math.min(1.1, room(w) / width, room(h) / height);
  return { scale, x: (w - width * scale) / 2, y: (h - height * scale) / 2 };
}

function inside({ x, y, width, height }, { left, top, right, bottom }) {
  return x <= right && x + width >= left && y <= bottom && y + height >= top;
}

function crosses(a, b, { left, top, right, bottom }) {
  return a.x + a.width <= right && b.x >= left && Math.min(a.y, b.y) <= bottom && Math.max(a.y + a.height, b.y + b.height) >= top;
}

function curve(path, a, b) {
  const x1 = a.x + a.width;
  const y1 = a.y + a.height / 2;
  const y2 = b.y + b.height / 2;
  const bend = Math.min(120, (b.x - x1) / 2);
  path.moveTo(x1, y1);
  path.bezierCurveTo(x1 + bend, y1, b.x - bend, y2, b.x, y2);
}

function stroke(context, path, colour, width, alpha) {
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke(path);
  context.globalAlpha = 1;
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function summary(nodes) {
  const counts = {};
  for (const { status } of nodes) counts[status.toLowerCase()] = (counts[status.toLowerCase()] ?? 0) + 1;
  return countsText(counts);
}

customElements.define('job-graph', JobGraph);
