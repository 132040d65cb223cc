// <hs-pill state="down">Redis down</hs-pill>: a state in a word, with a shape of its own so that colour is not needed.
// Without content the state's name is the text. `state`: any name of the product; those in states.js have colours,
// others are grey. <hs-dot state="up"></hs-dot> is the shape alone; give it a `label` unless a text stands beside it.

import { LitElement, css, html, nothing, svg } from 'lit';
import { words } from '../format.js';
import { tone } from '../states.js';

const SHAPES = {
  up: svg`<circle cx="5" cy="5" r="4"/>`,
  degraded: svg`<path d="M5 .8 9.6 9H.4Z"/>`,
  down: svg`<rect x="1" y="1" width="8" height="8" rx="1"/>`,
  busy: svg`<circle cx="5" cy="5" r="3.6" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="15 8"/>`,
  unknown: svg`<circle cx="5" cy="5" r="3.3" fill="none" stroke="currentColor" stroke-width="1.6"/>`,
};

const shared = css`
  .up { --tone: var(--up); --fill: var(--up-fill); --tint: var(--up-tint); }
  .degraded { --tone: var(--degraded); --fill: var(--degraded-fill); --tint: var(--degraded-tint); }
  .down { --tone: var(--down); --fill: var(--down-fill); --tint: var(--down-tint); }
  .busy { --tone: var(--busy); --fill: var(--busy-fill); --tint: var(--busy-tint); }
  .unknown { --tone: var(--unknown); --fill: var(--unknown); --tint: var(--unknown-tint); }
  svg { inline-size: 0.625rem; block-size: 0.625rem; flex: none; fill: currentColor; color: var(--fill); }
  .busy svg { animation: turn 1.4s linear infinite; }
  @keyframes turn { to { rotate: 1turn; } }
  @media (prefers-reduced-motion: reduce) { .busy svg { animation: none; } }
`;

const shape = (name) => html`<svg viewBox="0 0 10 10" aria-hidden="true">${SHAPES[name]}</svg>`;

class HsPill extends LitElement {
  static properties = { state: {} };
  static styles = [
    shared,
    css`
      :host { display: inline-flex; max-inline-size: 100%; }
      .pill { display: inline-flex; align-items: center; gap: 0.4rem; min-inline-size: 0; padding: 0.125rem 0.6rem 0.125rem 0.5rem; border-radius: 99px; background: var(--tint); color: var(--tone); font-size: var(--small); font-weight: 580; line-height: 1.45; white-space: nowrap; }
      .text { overflow: hidden; text-overflow: ellipsis; }
    `,
  ];

  render() {
    const name = tone(this.state);
    return html`<span class="pill ${name}">${shape(name)}<span class="text"><slot>${words(this.state ?? 'unknown')}</slot></span></span>`;
  }
}

class HsDot extends LitElement {
  static properties = { state: {}, label: {} };
  static styles = [shared, css`:host, span { display: inline-flex; }`];

  render() {
    const name = tone(this.state);
    return html`<span class=${name} role=${this.label ? 'img' : nothing} aria-label=${this.label ?? nothing}>${shape(name)}</span>`;
  }
}

customElements.define('hs-pill', HsPill);
customElements.define('hs-dot', HsDot);
