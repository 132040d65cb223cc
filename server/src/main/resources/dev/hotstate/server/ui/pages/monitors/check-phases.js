// <check-phases .phases=${{ dns_ms, connect_ms, tls_ms, first_byte_ms }} .total=${ms}></check-phases>: where the time of the
// last check went, one after another; the rest is reading the answer and judging it. Nothing where nothing is known.

import { LitElement, css, html, nothing, svg } from 'lit';
import { duration } from '../../format.js';

const PHASES = [['dns_ms', 'Name'], ['connect_ms', 'Connect'], ['tls_ms', 'TLS'], ['first_byte_ms', 'First byte']];

class CheckPhases extends LitElement {
  static properties = { phases: { attribute: false }, total: { attribute: false } };
  static styles = css`
    :host { display: block; }
    svg { display: block; inline-size: 100%; block-size: 8px; border-radius: 4px; background: var(--unknown-tint); }
    ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1.25rem; margin: 0.45rem 0 0; padding: 0; list-style: none; font-size: var(--small); color: var(--ink-faint); }
    b { color: var(--ink); font-weight: 550; }
    i { display: inline-block; inline-size: 0.6rem; block-size: 0.6rem; margin-inline-end: 0.35rem; border-radius: 2px; }
    .c0 { fill: var(--chart-1); background: var(--chart-1); }
    .c1 { fill: var(--chart-3); background: var(--chart-3); }
    .c2 { fill: var(--chart-4); background: var(--chart-4); }
    .c3 { fill: var(--chart-5); background: var(--chart-5); }
    .c4 { fill: var(--chart-6); background: var(--chart-6); }
  `;

  render() {
    const known = PHASES.map(([name, label], i) => ({ label, i, ms: this.phases?.[name] })).filter(({ ms }) => typeof ms === 'number');
    if (known.length === 0) return nothing;
    const sum = known.reduce((total, { ms }) => total + ms, 0);
    const rest = (this.total ?? 0) - sum;
    const all = rest >= 1 ? [...known, { label: 'Answer', i: 4, ms: rest }] : known;
    const whole = Math.max(sum, this.total ?? 0) || 1;
    let at = 0;
    const bars = all.map(({ i, ms }) => {
      const x = at;
      at += (ms / whole) * 100;
      return svg`<rect class="c${i}" x="${x}%" width="${(ms / whole) * 100}%" height="100%"></rect>`;
    });
    return html`
      <svg aria-hidden="true">${bars}</svg>
      <ul aria-label="Where the time of the last check went">${all.map(({ label, i, ms }) => html`<li><i class="c${i}"></i>${label} <b>${duration(ms)}</b></li>`)}</ul>
    `;
  }
}

customElements.define('check-phases', CheckPhases);
