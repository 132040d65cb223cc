// if (await confirm({ title: 'Delete web-1?', text: 'Its history goes too.', action: 'Delete', danger: true })) …
// Asks before something that cannot be undone. A native modal dialog: Escape and the back-drop mean no, the page behind
// is inert, and the focus goes back to where it was. With `danger` the focus starts on Cancel.

import { LitElement, css, html, nothing } from 'lit';

export function confirm(question) {
  const element = document.createElement('hs-confirm');
  element.question = question;
  document.body.append(element);
  return element.answer;
}

class HsConfirm extends LitElement {
  static properties = { question: { attribute: false } };
  static styles = css`
    dialog { inline-size: min(28rem, calc(100vw - 2rem)); padding: 1.5rem; border: 1px solid var(--line); border-radius: 14px; background: var(--raised); color: var(--ink); box-shadow: var(--shadow-high); }
    dialog::backdrop { background: light-dark(#15191a66, #000000a6); }
    h2 { margin: 0 0 0.5rem; font-size: 1.125rem; font-weight: 620; letter-spacing: -0.011em; overflow-wrap: anywhere; }
    p { margin: 0; color: var(--ink-soft); overflow-wrap: anywhere; }
    div { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.5rem; margin-block-start: 1.5rem; }
    button { min-block-size: 2.4rem; padding: 0 1rem; border: 1px solid var(--line-strong); border-radius: var(--radius-small); background: none; color: inherit; font: inherit; font-size: 0.9rem; font-weight: 550; cursor: pointer; }
    button:focus-visible { outline: 2px solid var(--ember); outline-offset: 2px; }
    .yes { border-color: transparent; background: var(--action); color: var(--on-action); }
    .yes.danger { background: light-dark(#b51f30, #ff8c90); color: light-dark(#fff, #26080b); }
  `;

  #resolve;
  #before = document.activeElement;
  answer = new Promise((resolve) => (this.#resolve = resolve));

  render() {
    const { title, text, action = 'OK', cancel = 'Cancel', danger = false } = this.question;
    return html`
      <dialog aria-labelledby="title" aria-describedby=${text ? 'text' : nothing} @close=${this.#closed} @click=${this.#clicked}>
        <h2 id="title">${title}</h2>
        ${text ? html`<p id="text">${text}</p>` : nothing}
        <div>
          <button class="no" ?autofocus=${danger} @click=${() => this.#dialog.close('no')}>${cancel}</button>
          <button class="yes ${danger ? 'danger' : ''}" ?autofocus=${!danger} @click=${() => this.#dialog.close('yes')}>${action}</button>
        </div>
      </dialog>
    `;
  }

  firstUpdated() {
    this.#dialog.showModal();
  }

  get #dialog() {
    return this.renderRoot.querySelector('dialog');
  }

  #clicked(event) {
    if (event.target === this.#dialog && outside(this.#dialog.getBoundingClientRect(), event)) this.#dialog.close('no');
  }

  #closed() {
    this.#resolve(this.#dialog.returnValue === 'yes');
    this.remove();
    this.#before?.focus?.();
  }
}

function outside(box, { clientX, clientY }) {
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

customElements.define('hs-confirm', HsConfirm);
