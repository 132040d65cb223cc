// <driver-reservation .reservation=${item of POST /reservations} @ended @pick>: a driver that is held, until its lease
// lapses: confirm it, or let it go. `ended` tells what became of it.

import { css, html } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';

class DriverReservation extends LightElement {
  static properties = { reservation: { attribute: false }, left: { state: true }, busy: { state: true } };
  static styles = css`
    .driver-reservation { display: grid; gap: 0.5rem; padding: 0.65rem 0.8rem; border-radius: var(--radius-small); background: var(--degraded-tint); color: var(--degraded); font-size: var(--small); }
    .driver-reservation code { color: inherit; }
    .driver-reservation button.plain { padding: 0; min-block-size: 0; color: inherit; }
    .driver-reservation .buttons button { min-block-size: 1.9rem; }
  `;

  #timer = null;

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => this.#tick(), 500);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  willUpdate() {
    this.left ??= this.#seconds;
  }

  get #seconds() {
    return Math.max(0, Math.ceil((Date.parse(this.reservation.expires_at) - Date.now()) / 1000));
  }

  #tick() {
    this.left = this.#seconds;
    if (this.left > 0 || this.busy) return;
    this.#ended(`The reservation of ${this.reservation.driver.id} has lapsed.`);
  }

  render() {
    const { driver } = this.reservation;
    return html`
      <div class="driver-reservation" data-reserved=${driver.id}>
        <div><button class="plain" @click=${() => this.dispatchEvent(new Event('pick'))}><code>${driver.id}</code></button> is held for ${this.left} s</div>
        <div class="buttons">
          <button name="confirm" ?disabled=${this.busy} @click=${() => this.#end('is busy now', (path, fence) => api.post(`${path}/confirm`, { fence }))}>Confirm</button>
          <button name="let-go" ?disabled=${this.busy} @click=${() => this.#end('is let go', (path, fence) => api.delete(path, { query: { fence } }))}>Let go</button>
        </div>
      </div>
    `;
  }

  async #end(text, call) {
    const { reservation, fence, driver } = this.reservation;
    this.busy = true;
    try {
      await call(`/reservations/${encodeURIComponent(reservation)}`, fence);
      this.#ended(`${driver.id} ${text}.`);
    } catch (error) {
      if (error.status === 409) return this.#ended(error.message);
      toast('That did not work', { state: 'error', detail: error.message });
      this.busy = false;
    }
  }

  #ended(detail) {
    this.dispatchEvent(new CustomEvent('ended', { detail }));
  }
}

customElements.define('driver-reservation', DriverReservation);
