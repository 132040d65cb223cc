// <job-gantt .graph=${answer of /jobs/{id}/graph} .chosen @pick>: when each task began and ended, in the order of their
// beginnings; the critical path, which says how long the job took, in the colour of its edge. Only the rows in view are
// drawn, so a long job scrolls as lightly as a short one.

import { css, html } from 'lit';
import { LightElement } from '../../components/light.js';
import { duration, time } from '../../format.js';
import { Drawing, fitting } from '../../canvas.js';
import { FILLS } from './statuses.js';
import '../../components/hs-notice.js';

const ROW = 24;
const AXIS = 26;
const MOST_VISIBLE = 16;

class JobGantt extends LightElement {
  static properties = { graph: { attribute: false }, chosen: {} };
  static styles = css`
    job-gantt { display: block; }
    .job-gantt { position: relative; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); overflow: auto; cursor: pointer; }
    .job-gantt canvas { position: sticky; inset-block-start: 0; display: block; inline-size: 100%; }
  `;

  #drawing = null;
  #rows = [];

  render() {
    const rows = this.#rows.length;
    if (rows === 0) return html`<hs-empty heading="No task has begun yet" icon="jobs"></hs-empty>`;
    return html`
      <div class="job-gantt" data-rows=${rows} tabindex="0" role="img" aria-label=${this.#label()} @scroll=${() => this.#drawing?.redraw()} @click=${this.#clicked}>
        <canvas></canvas>
        <div class="job-gantt-length"></div>
      </div>
    `;
  }

  willUpdate() {
    this.#rows = (this.graph?.nodes ?? []).filter(({ started_at: at }) => at).map(bar).sort((a, b) => a.from - b.from || a.to - b.to);
  }

  updated() {
    const canvas = this.renderRoot.querySelector('canvas');
    if (!canvas) {
      this.#drawing?.stop();
      this.#drawing = null;
      return;
    }
    const height = AXIS + ROW * Math.min(this.#rows.length, MOST_VISIBLE) + 8;
    canvas.style.blockSize = `${height}px`;
    this.renderRoot.querySelector('.job-gantt').style.maxBlockSize = `${height + 2}px`;
    this.renderRoot.querySelector('.job-gantt-length').style.blockSize = `${Math.max(0, (this.#rows.length - MOST_VISIBLE) * ROW)}px`;
    this.#drawing ??= new Drawing(canvas, (...all) => this.#draw(...all));
    this.#drawing.redraw();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#drawing?.stop();
    this.#drawing = null;
  }

  #draw(context, width, height, colour) {
    const label = Math.min(220, width * 0.28);
    const from = this.#rows[0].from;
    const to = this.#rows.reduce((latest, row) => Math.max(latest, row.to), from + 1);
    const x = (at) => label + ((at - from) / (to - from)) * (width - label - 16);
    const critical = new Set(this.graph.critical_path ?? []);
    const first = Math.floor(this.#top / ROW);
    const offset = AXIS - (this.#top % ROW);
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    this.#rows.slice(first, first + MOST_VISIBLE + 2).forEach((row, i) => {
      const y = offset + i * ROW;
      if (row.node.id === this.chosen) {
        context.fillStyle = colour('sunken');
        context.fillRect(0, y, width, ROW);
      }
      context.fillStyle = colour(critical.has(row.node.id) ? 'ink' : 'ink-soft');
      context.fillText(fitting(context, row.node.name || row.node.id, label - 24), 12, y + ROW / 2);
      context.beginPath();
      context.roundRect(x(row.from), y + 5, Math.max(2, x(row.to) - x(row.from)), ROW - 10, 3);
      context.fillStyle = colour(FILLS[row.node.status] ?? 'unknown-fill');
      context.fill();
      if (!critical.has(row.node.id)) return;
      context.lineWidth = 2;
      context.strokeStyle = colour('ember');
      context.stroke();
    });
    this.#axis(context, width, label, from, to, colour);
  }

  #axis(context, width, label, from, to, colour) {
    context.fillStyle = colour('surface');
    context.fillRect(0, 0, width, AXIS - 4);
    context.fillStyle = colour('ink-faint');
    const marks = Math.max(2, Math.floor((width - label) / 140));
    for (let i = 0; i < marks; i++) {
      const share = i / (marks - 1);
      context.textAlign = i === marks - 1 ? 'right' : i === 0 ? 'left' : 'center';
      context.fillText(duration(Math.round((to - from) * share)), label + share * (width - label - 16), AXIS / 2);
    }
    context.textAlign = 'left';
    context.fillText(time(from), 12, AXIS / 2);
  }

  get #top() {
    return this.renderRoot.querySelector('.job-gantt')?.scrollTop ?? 0;
  }

  #clicked(event) {
    const box = this.renderRoot.querySelector('.job-gantt').getBoundingClientRect();
    const row = this.#rows[Math.floor((event.clientY - box.top - AXIS + this.#top) / ROW)];
    if (row) this.dispatchEvent(new CustomEvent('pick', { detail: row.node.id }));
  }

  #label() {
    const path = this.graph.critical_path ?? [];
    return `When tasks ran: ${this.#rows.length} have begun. The longest way through the job is ${path.slice(0, 20).join(', then ')}${path.length > 20 ? ' and so on' : ''}.`;
  }
}

function bar(node) {
  const from = Date.parse(node.started_at);
  return { node, from, to: Math.max(from, node.finished_at ? Date.parse(node.finished_at) : Date.now()) };
}

customElements.define('job-gantt', JobGantt);
