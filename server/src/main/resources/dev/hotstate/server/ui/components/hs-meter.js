// <hs-meter label="Connections" value="12" max="20" text="12 of 20" limit="0.9"></hs-meter>: how full something is.
// From `limit` on (a share of max, 0.9 unless told) it warns. `state` gives it the colour of a state instead, for progress.

import { LitElement, css, html } from 'lit';
import { tone } from '../states.js';

class HsMeter extends LitElement {
  static properties = { label: {}, value: { type: Number }, max: { type: Number }, text: {}, limit: { type: Number }, state: {} };
  static styles = css`
    :host { display: block; }
    svg { display: block; inline-size: 100%; block-size: 5px; border-radius: 3px; background: var(--unknown-tint); }
    rect { fill: var(--chart-1); transition: width 300ms; }
    .full, .degraded { fill: var(--degraded-fill); }
    .up { fill: var(--up-fill); }
    .down { fill: var(--down-fill); }
    .busy { fill: var(--busy-fill); }
    @media (prefers-reduced-motion: reduce) { rect { transition: none; } }
  `;

  render() {
    const max = this.max || 1;
    const share = Math.min(1, Math.max(0, (this.value || 0) / max));
    const name = this.state ? tone(this.state) : share >= (this.limit ?? 0.9) ? 'full' : 'calm';
    return html`
      <svg role="meter" aria-label=${this.label} aria-valuemin="0" aria-valuemax=${max} aria-valuenow=${this.value || 0} aria-valuetext=${this.text ?? `${Math.round(share * 100)}%`}>
        <rect class=${name} width="${share * 100}%" height="100%" rx="2.5"></rect>
      </svg>
    `;
  }
}

customElements.define('hs-meter', HsMeter);
