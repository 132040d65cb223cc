// <hs-states label="Last 90 checks" .items=${[{ state: 'up', label: '200 in 34 ms', at: 1712… }]} max="60"></hs-states>
// A bar of states, oldest left: one beat each, its height and colour by the state (full is up, low is down).
// `at` may be left out, `text` says a beat's title in place of time, state and label.
// Missing beats are left blank, so that the bar keeps its width while it fills. To a screen reader it is a sentence and
// a list of the changes; a pointer sees each beat's label as a title.

import { LitElement, css, html, nothing, svg } from 'lit';
import { time } from '../format.js';
import { tone } from '../states.js';

const HEIGHT = { up: 30, busy: 22, degraded: 20, down: 12, unknown: 6 };

class HsStates extends LitElement {
  static properties = { label: {}, items: { attribute: false }, max: { type: Number } };
  static styles = css`
    :host { display: block; }
    svg { display: block; inline-size: 100%; block-size: var(--hs-states-height, 34px); overflow: visible; }
    .up { fill: var(--up-fill); }
    .degraded { fill: var(--degraded-fill); }
    .down { fill: var(--down-fill); }
    .busy { fill: var(--busy-fill); }
    .unknown { fill: var(--unknown-fill); }
    .blank { fill: var(--unknown-tint); }
    rect:hover { opacity: 0.65; }
    .text { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  `;

  render() {
    const max = this.max || 60;
    const items = (this.items ?? []).slice(-max);
    const blank = max - items.length;
    return html`
      <svg viewBox="0 0 ${max * 10} 30" preserveAspectRatio="none" aria-hidden="true">
        ${Array.from({ length: blank }, (_, i) => beat(i, 'blank', 6))}
        ${items.map((item, i) => beat(blank + i, tone(item.state), HEIGHT[tone(item.state)], title(item)))}
      </svg>
      <div class="text">
        <p>${this.label}: ${summary(items)}</p>
        <ol>${changes(items).map((item) => html`<li>${title(item)}</li>`)}</ol>
      </div>
    `;
  }
}

const beat = (index, name, height, text) => svg`
  <rect class=${name} x=${index * 10 + 1.5} y=${30 - height} width="7" height=${height} rx="2">${text ? svg`<title>${text}</title>` : nothing}</rect>`;

function title({ at, state, label, text }) {
  if (text) return text;
  return `${at ? `${time(at)} ` : ''}${state}${label && label !== state ? `, ${label}` : ''}`;
}

function summary(items) {
  if (items.length === 0) return 'nothing yet';
  const counts = new Map();
  for (const { state } of items) counts.set(state, (counts.get(state) ?? 0) + 1);
  return `${[...counts].map(([state, count]) => `${count} ${state}`).join(', ')}; now ${items.at(-1).state}`;
}

function changes(items) {
  return items.filter((item, i) => i === 0 || item.state !== items[i - 1].state);
}

customElements.define('hs-states', HsStates);
