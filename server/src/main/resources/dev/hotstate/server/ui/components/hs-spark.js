// <hs-spark label="Latency of Redis" .samples=${[{ at, value }]} .format=${duration}></hs-spark>
// A line without axes for the recent values of one figure; it needs no chart library. The scale begins at zero, so that
// a calm line looks calm. A screen reader hears the lowest, the highest and the latest value.

import { LitElement, css, html, nothing, svg } from 'lit';
import { number } from '../format.js';

const WIDTH = 240;
const HEIGHT = 44;

class HsSpark extends LitElement {
  static properties = { label: {}, samples: { attribute: false }, format: { attribute: false }, slots: { type: Number } };
  static styles = css`
    :host { display: block; }
    svg { display: block; inline-size: 100%; block-size: var(--hs-spark-height, 44px); overflow: visible; }
    .line { fill: none; stroke: var(--hs-spark-colour, var(--chart-1)); stroke-width: 1.5; stroke-linejoin: round; stroke-linecap: round; vector-effect: non-scaling-stroke; }
    .area { fill: var(--hs-spark-colour, var(--chart-1)); opacity: 0.1; }
    .base { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
  `;

  render() {
    const values = (this.samples ?? []).map((sample) => sample.value);
    return html`
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${this.#sentence(values)}>
        <path class="base" d="M0 ${HEIGHT - 0.5}H${WIDTH}"></path>
        ${values.length > 1 ? this.#curve(values) : nothing}
      </svg>
    `;
  }

  #curve(values) {
    const slots = Math.max(this.slots || 40, values.length);
    const top = Math.max(...values) * 1.15 || 1;
    const x = (i) => ((slots - values.length + i) / (slots - 1)) * WIDTH;
    const y = (value) => HEIGHT - 1 - (value / top) * (HEIGHT - 4);
    const line = values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join('');
    return svg`<path class="area" d="${line}V${HEIGHT}H${x(0).toFixed(1)}Z"></path><path class="line" d=${line}></path>`;
  }

  #sentence(values) {
    const read = this.format ?? number;
    if (values.length === 0) return `${this.label}: nothing yet`;
    return `${this.label}: lowest ${read(Math.min(...values))}, highest ${read(Math.max(...values))}, now ${read(values.at(-1))}`;
  }
}

customElements.define('hs-spark', HsSpark);
