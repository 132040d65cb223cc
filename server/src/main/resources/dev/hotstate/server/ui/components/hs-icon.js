// <hs-icon name="refresh"></hs-icon>: a line icon of 18 px in the colour of the text. Always beside a text or inside a
// control that has a label: to a screen reader it is not there.

import { LitElement, css, html, svg } from 'lit';

const SHAPES = {
  overview: svg`<path d="M2 9.5h3l2-5 4 9 2-4h3"/>`,
  keys: svg`<ellipse cx="9" cy="4.5" rx="6" ry="2.2"/><path d="M3 4.5v9c0 1.2 2.7 2.2 6 2.2s6-1 6-2.2v-9M3 9c0 1.2 2.7 2.2 6 2.2s6-1 6-2.2"/>`,
  monitors: svg`<rect x="2" y="3" width="14" height="9.5" rx="1.6"/><path d="M6.5 15.5h5M5 8h2l1-2 2 4 1-2h2"/>`,
  jobs: svg`<circle cx="4" cy="9" r="2"/><circle cx="14" cy="4.2" r="2"/><circle cx="14" cy="13.8" r="2"/><path d="m5.8 8.1 6.4-3M5.8 9.9l6.4 3"/>`,
  drivers: svg`<path d="M9 16s5-4.6 5-8.6A5 5 0 0 0 4 7.4C4 11.4 9 16 9 16Z"/><circle cx="9" cy="7.3" r="1.8"/>`,
  limits: svg`<path d="M2.5 12.5a6.5 6.5 0 1 1 13 0"/><path d="m9 12.5 3-4.5"/>`,
  traffic: svg`<path d="M3 15V9m4 6V4m4 11V7m4 8v-4"/>`,
  audit: svg`<path d="M9 2 3.5 4v4.5c0 3.5 2.3 6 5.5 7.5 3.2-1.5 5.5-4 5.5-7.5V4Z"/><path d="m6.7 8.8 1.7 1.7 3-3.2"/>`,
  docs: svg`<path d="M4 2.5h7l3 3v10H4Z"/><path d="M6.5 8.5h5M6.5 11.5h5"/>`,
  metrics: svg`<path d="M2.5 2.5v13h13"/><path d="m5.5 11 3-3.5 2.5 2 4-5"/>`,
  out: svg`<path d="M6 4h8v8M14 4 5 13"/>`,
  refresh: svg`<path d="M15 9a6 6 0 1 1-1.8-4.3L15 6.5"/><path d="M15 2.5v4h-4"/>`,
  search: svg`<circle cx="8" cy="8" r="4.7"/><path d="m11.5 11.5 4 4"/>`,
  chevron: svg`<path d="m6.5 4 5 5-5 5"/>`,
  left: svg`<path d="m11 4-5 5 5 5"/>`,
  right: svg`<path d="m7 4 5 5-5 5"/>`,
  menu: svg`<path d="M2.5 5h13M2.5 9h13M2.5 13h13"/>`,
  close: svg`<path d="m4 4 10 10M14 4 4 14"/>`,
  sun: svg`<circle cx="9" cy="9" r="3"/><path d="M9 1.8v1.7M9 14.5v1.7M1.8 9h1.7M14.5 9h1.7M3.9 3.9l1.2 1.2M12.9 12.9l1.2 1.2M3.9 14.1l1.2-1.2M12.9 5.1l1.2-1.2"/>`,
  moon: svg`<path d="M15 10.8A6.5 6.5 0 0 1 7.2 3a6.5 6.5 0 1 0 7.8 7.8Z"/>`,
  system: svg`<circle cx="9" cy="9" r="6.2"/><path d="M9 2.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor"/>`,
  signout: svg`<path d="M7 3H3.5v12H7M11 5.5 14.5 9 11 12.5M14.5 9H7"/>`,
  eye: svg`<path d="M1.5 9S4 4 9 4s7.5 5 7.5 5-2.5 5-7.5 5S1.5 9 1.5 9Z"/><circle cx="9" cy="9" r="2.1"/>`,
  warning: svg`<path d="M9 2.5 1.8 15h14.4Z"/><path d="M9 7.2v3.6M9 12.8v.2"/>`,
  empty: svg`<path d="M2.5 10.5 4.5 4h9l2 6.5v4h-13Z"/><path d="M2.5 10.5H6a3 3 0 0 0 6 0h3.5"/>`,
  plus: svg`<path d="M9 3v12M3 9h12"/>`,
  copy: svg`<rect x="6" y="6" width="9" height="9" rx="1.5"/><path d="M12 6V4.5A1.5 1.5 0 0 0 10.5 3h-6A1.5 1.5 0 0 0 3 4.5v6A1.5 1.5 0 0 0 4.5 12H6"/>`,
  pause: svg`<path d="M6 3.5v11M12 3.5v11"/>`,
  play: svg`<path d="M5 3.5v11l9-5.5Z"/>`,
  edit: svg`<path d="M3 15h3l8.5-8.5-3-3L3 12Z"/>`,
  bin: svg`<path d="M3 5h12M7 5V3h4v2M5 5l.8 10.5h6.4L13 5"/>`,
  check: svg`<path d="m3.5 9.5 3.5 3.5 7.5-8"/>`,
};

class HsIcon extends LitElement {
  static properties = { name: {} };
  static styles = css`
    :host { display: inline-flex; flex: none; }
    svg { inline-size: var(--icon-size, 18px); block-size: var(--icon-size, 18px); fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
  `;

  render() {
    return html`<svg viewBox="0 0 18 18" aria-hidden="true" focusable="false">${SHAPES[this.name]}</svg>`;
  }
}

customElements.define('hs-icon', HsIcon);
