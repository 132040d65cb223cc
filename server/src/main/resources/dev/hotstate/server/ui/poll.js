// Asks for something again and again for as long as its element is on the page and the page is looked at.
//
//   poll = new Poll(this, 1000, (signal) => api.get('/traffic', { signal }), (answer) => …);
//
// One question at a time: the next is asked `every` milliseconds after the last answer, later after failures. `data`
// stays when asking fails, so a page never goes blank; `error` then says so.

import { html } from 'lit';
import './components/hs-notice.js';

const SLOWEST = 8;

export class Poll {
  data = null;
  error = null;
  #host;
  #every;
  #fetch;
  #taken;
  #timer = null;
  #running = null;
  #failures = 0;
  #looked = () => (document.hidden ? this.#stop() : this.refresh());

  constructor(host, every, fetch, taken = () => {}) {
    this.#host = host;
    this.#every = every;
    this.#fetch = fetch;
    this.#taken = taken;
    host.addController(this);
  }

  hostConnected() {
    document.addEventListener('visibilitychange', this.#looked);
    this.refresh();
  }

  hostDisconnected() {
    document.removeEventListener('visibilitychange', this.#looked);
    this.#stop();
  }

  /** Asks now, and from then on in the usual rhythm. */
  async refresh() {
    this.#stop();
    const running = new AbortController();
    this.#running = running;
    try {
      const data = await this.#fetch(running.signal);
      if (running.signal.aborted) return;
      this.data = data;
      this.error = null;
      this.#failures = 0;
      this.#taken(data);
    } catch (error) {
      if (running.signal.aborted) return;
      this.error = error;
      this.#failures += 1;
    }
    this.#host.requestUpdate();
    this.#timer = setTimeout(() => this.refresh(), this.#every * Math.min(2 ** this.#failures, SLOWEST));
  }

  /** The data by `render`, or the notice that stands in for it; a failure is told above the old data. */
  view(render, { loading = 'Loading…' } = {}) {
    const failed = this.error && html`<hs-error .error=${this.error} @retry=${() => this.refresh()}></hs-error>`;
    if (this.data !== null) return html`${failed ?? ''}${render(this.data)}`;
    return failed ?? html`<hs-loading label=${loading}></hs-loading>`;
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#running?.abort();
  }
}
