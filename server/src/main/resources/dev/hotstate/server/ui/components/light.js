// The base of pages and of components whose content comes from the page that uses them (hs-table's cells, say).
// They render into the document itself, so that theme.css, app.css and the page's own styles apply to what is inside;
// `static styles` are added to the document once per class. They cannot have slots: components that wrap children
// (hs-card, hs-pill) extend LitElement instead.

import { LitElement } from 'lit';

const adopted = new Set();

export class LightElement extends LitElement {
  createRenderRoot() {
    for (const { styleSheet } of [this.constructor.styles ?? []].flat()) {
      if (adopted.has(styleSheet)) continue;
      adopted.add(styleSheet);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, styleSheet];
    }
    return this;
  }
}
