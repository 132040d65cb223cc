// <hs-card heading="Redis" level="2" state="up"> … <button slot="actions">…</button> <p slot="footer">…</p> </hs-card>
// A surface with a heading. `level` is that of the heading (2 to 4). `state` puts a pill beside the heading.
// `flush` takes the padding from the content, for a table or a chart that goes to the edges.

import { LitElement, css, html, nothing } from 'lit';
import './hs-pill.js';

class HsCard extends LitElement {
  static properties = { heading: {}, level: { type: Number }, state: {}, flush: { type: Boolean, reflect: true } };
  static styles = css`
    :host { display: flex; flex-direction: column; min-inline-size: 0; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); box-shadow: var(--shadow); }
    header { display: flex; align-items: center; flex-wrap: wrap; gap: 0.4rem 0.75rem; padding: 1rem 1.25rem 0; }
    h2, h3, h4 { margin: 0; margin-inline-end: auto; font-size: 1rem; font-weight: 620; letter-spacing: -0.011em; line-height: 1.4; overflow-wrap: anywhere; }
    .body { flex: 1; display: flex; flex-direction: column; gap: 1rem; padding: 0.85rem 1.25rem 1.25rem; min-inline-size: 0; }
    :host([flush]) .body { padding: 0; }
    :host([flush]) header + .body { padding-block-start: 0.85rem; }
    ::slotted([slot="footer"]) { padding: 0.7rem 1.25rem; border-block-start: 1px solid var(--line); font-size: var(--small); color: var(--ink-faint); }
  `;

  render() {
    return html`
      ${this.heading ? html`<header>${this.#title()}${this.state ? html`<hs-pill state=${this.state}></hs-pill>` : nothing}<slot name="actions"></slot></header>` : nothing}
      <div class="body"><slot></slot></div>
      <slot name="footer"></slot>
    `;
  }

  #title() {
    if (this.level === 4) return html`<h4>${this.heading}</h4>`;
    if (this.level === 3) return html`<h3>${this.heading}</h3>`;
    return html`<h2>${this.heading}</h2>`;
  }
}

customElements.define('hs-card', HsCard);
