// toast('Monitor saved');  toast('Could not save', { state: 'error', detail: error.message });
// A short message in the corner that goes by itself after six seconds, or when it is closed; errors stay until closed.
// It waits while the pointer or the focus is on it. At most four at once, the oldest goes first.

import { LitElement, css, html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { tone } from '../states.js';
import './hs-icon.js';
import './hs-pill.js';

const STAY_MS = 6000;
const MOST = 4;

export function toast(text, { state = 'ok', detail } = {}) {
  let host = document.querySelector('hs-toasts');
  if (!host) host = document.body.appendChild(document.createElement('hs-toasts'));
  host.add({ text, state, detail });
}

class HsToasts extends LitElement {
  static properties = { messages: { state: true } };
  static styles = css`
    :host { position: fixed; inset: auto 1rem 1rem auto; z-index: 60; inline-size: min(24rem, calc(100vw - 2rem)); }
    div { display: grid; gap: 0.5rem; }
    section { display: flex; align-items: flex-start; gap: 0.7rem; padding: 0.7rem 0.5rem 0.7rem 0.95rem; border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); box-shadow: var(--shadow-high); font-size: 0.875rem; animation: rise 160ms ease-out; }
    section + section { margin-block-start: 0.5rem; }
    hs-dot { margin-block-start: 0.4rem; }
    p { margin: 0; flex: 1; min-inline-size: 0; overflow-wrap: anywhere; }
    p small { display: block; color: var(--ink-faint); font-size: var(--small); }
    button { display: inline-flex; padding: 0.3rem; border: 0; border-radius: 6px; background: none; color: var(--ink-faint); cursor: pointer; }
    button:hover { background: var(--hover); color: var(--ink); }
    button:focus-visible { outline: 2px solid var(--ember); }
    @keyframes rise { from { opacity: 0; translate: 0 8px; } }
    @media (prefers-reduced-motion: reduce) { section { animation: none; } }
  `;

  #next = 1;
  #timers = new Map();

  constructor() {
    super();
    this.messages = [];
  }

  add(message) {
    const entry = { ...message, key: this.#next++ };
    this.messages = [...this.messages, entry].slice(-MOST);
    this.#wait(entry);
  }

  // Both live regions are there from the start: a region that comes with its text is often not read.
  render() {
    const alerts = this.messages.filter(isAlert);
    const others = this.messages.filter((message) => !isAlert(message));
    return html`<div><div role="alert">${this.#list(alerts)}</div><div role="status" aria-live="polite">${this.#list(others)}</div></div>`;
  }

  #list(messages) {
    return repeat(messages, (message) => message.key, (message) => html`
      <section
        @pointerenter=${() => this.#hold(message)}
        @pointerleave=${() => this.#wait(message)}
        @focusin=${() => this.#hold(message)}
        @focusout=${() => this.#wait(message)}
      >
        <hs-dot state=${message.state}></hs-dot>
        <p>${message.text}${message.detail ? html`<small>${message.detail}</small>` : nothing}</p>
        <button aria-label="Close" @click=${() => this.#close(message)}><hs-icon name="close"></hs-icon></button>
      </section>`);
  }

  #wait(message) {
    this.#hold(message);
    if (!isAlert(message)) this.#timers.set(message.key, setTimeout(() => this.#close(message), STAY_MS));
  }

  #hold(message) {
    clearTimeout(this.#timers.get(message.key));
  }

  #close(message) {
    this.#hold(message);
    this.#timers.delete(message.key);
    this.messages = this.messages.filter((other) => other !== message && other.key !== message.key);
  }
}

function isAlert(message) {
  return tone(message.state) === 'down';
}

customElements.define('hs-toasts', HsToasts);
