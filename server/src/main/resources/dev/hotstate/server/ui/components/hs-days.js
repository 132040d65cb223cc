// <hs-days label="Uptime of Shop" first="2026-01-31" .values=${[100, 99.2, null]}></hs-days>: a bar a day, coloured by its
// uptime in percent; null is a day of which nothing is known. The day under the pointer, or chosen by the arrow keys, is
// told beside it. Drawn as one shape a colour: a page may have a thousand of these.

import { LitElement, css, html, nothing, svg } from 'lit';
import { uptimeText, uptimeTone } from '../pages/monitors/uptime-text.js';

const DAY = 86_400_000;
const TONES = ['up', 'degraded', 'down', 'unknown'];
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

class HsDays extends LitElement {
  static properties = { label: {}, first: {}, values: { attribute: false }, chosen: { state: true } };
  static styles = css`
    :host { display: block; position: relative; }
    svg { display: block; inline-size: 100%; block-size: var(--hs-days-height, 32px); border-radius: 3px; cursor: default; }
    svg:focus-visible { outline: 2px solid var(--ember); outline-offset: 2px; }
    .up { fill: var(--up-fill); }
    .degraded { fill: var(--degraded-fill); }
    .down { fill: var(--down-fill); }
    .unknown { fill: var(--unknown-tint); }
    .mark { fill: var(--ink); opacity: 0.25; }
    .told { position: absolute; inset-block-end: calc(100% + 6px); z-index: 3; translate: -50% 0; padding: 0.3rem 0.6rem; border: 1px solid var(--line); border-radius: 7px; background: var(--raised); box-shadow: var(--shadow-high); font-size: var(--small); white-space: nowrap; pointer-events: none; }
    .told b { font-weight: 600; }
  `;

  render() {
    const values = this.values ?? [];
    const { chosen } = this;
    return html`
      <svg viewBox="0 0 ${values.length * 10 || 10} 30" preserveAspectRatio="none" role="img" tabindex="0" aria-label=${this.#sentence(values)}
        @pointermove=${this.#pointed} @pointerleave=${() => (this.chosen = null)} @keydown=${this.#pressed} @blur=${() => (this.chosen = null)}>
        ${TONES.map((tone) => shape(tone, values))}
        ${typeof chosen === 'number' ? mark(chosen) : nothing}
      </svg>
      <div class="told" role="status" ?hidden=${typeof chosen !== 'number'}>${typeof chosen === 'number' ? html`${this.#date(chosen)} <b>${told(values[chosen])}</b>` : nothing}</div>
    `;
  }

  updated() {
    if (typeof this.chosen !== 'number') return;
    const box = this.renderRoot.querySelector('.told');
    const half = box.offsetWidth / 2;
    const at = ((this.chosen + 0.5) / this.values.length) * this.offsetWidth;
    box.style.left = `${Math.max(half, Math.min(this.offsetWidth - half, at))}px`;
  }

  #pointed(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * this.values.length);
    this.chosen = Math.max(0, Math.min(this.values.length - 1, at));
  }

  #pressed(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const last = this.values.length - 1;
    this.chosen = Math.max(0, Math.min(last, typeof this.chosen === 'number' ? this.chosen + step : last));
  }

  #date(i) {
    return date.format(Date.parse(`${this.first}T00:00:00Z`) + i * DAY);
  }

  #sentence(values) {
    const known = values.filter((value) => typeof value === 'number');
    const bad = known.filter((value) => value < 100).length;
    return `${this.label}: ${known.length} days known, ${bad === 0 ? 'none' : bad} with an outage`;
  }
}

function shape(tone, values) {
  const bars = values.map((value, i) => (uptimeTone(value) === tone ? `M${i * 10 + 1.5} 0h7v30h-7z` : '')).join('');
  return bars === '' ? nothing : svg`<path class=${tone} d=${bars}></path>`;
}

function mark(i) {
  return svg`<rect class="mark" x=${i * 10} y="0" width="10" height="30"></rect>`;
}

function told(value) {
  return typeof value === 'number' ? uptimeText(value) : 'nothing known';
}

customElements.define('hs-days', HsDays);
