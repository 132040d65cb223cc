// <hs-link-status></hs-link-status>: whether live events come in, and if not, when the next try is. A click tries now.

import { css, html } from 'lit';
import { live } from '../live.js';
import { LightElement } from './light.js';
import './hs-pill.js';

class HsLinkStatus extends LightElement {
  static styles = css`
    hs-link-status { display: block; margin-inline-start: -0.5rem; }
    hs-link-status button { min-block-size: 2rem; max-inline-size: 100%; padding: 0 0.5rem; border-color: transparent; background: none; font-size: var(--small); font-weight: 500; color: var(--ink-soft); white-space: normal; text-align: start; line-height: 1.3; }
    hs-link-status button:disabled { background: none; border-color: transparent; color: var(--ink-soft); }
    hs-link-status button:hover:enabled { background: var(--hover); }
  `;

  #tick = null;
  #changed = () => {
    clearInterval(this.#tick);
    if (live.status.retryAt !== null) this.#tick = setInterval(() => this.requestUpdate(), 1000);
    this.requestUpdate();
  };

  connectedCallback() {
    super.connectedCallback();
    live.addEventListener('status', this.#changed);
    this.#changed();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    live.removeEventListener('status', this.#changed);
    clearInterval(this.#tick);
  }

  // The status region names the phase only: a countdown read aloud every second would drown everything else.
  render() {
    const { phase, retryAt } = live.status;
    const seconds = retryAt === null ? null : Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
    const [state, name] = {
      idle: ['idle', 'Paused'],
      connecting: ['connecting', 'Connecting'],
      live: ['live', 'Live'],
      waiting: ['waiting', 'Reconnecting'],
      offline: ['offline', 'Offline'],
    }[phase];
    return html`
      <span class="visually-hidden" role="status">Live updates: ${name}</span>
      <button ?disabled=${phase === 'live' || phase === 'connecting'} title=${phase === 'live' ? 'Updates arrive as they happen' : 'Try now'} @click=${() => live.reconnect()}>
        <hs-dot state=${state}></hs-dot>
        <span data-phase=${phase}>${name}${seconds === null ? '' : phase === 'offline' ? `, retry in ${seconds}\u00a0s` : ` in ${seconds}\u00a0s`}</span>
      </button>
    `;
  }
}

customElements.define('hs-link-status', HsLinkStatus);
