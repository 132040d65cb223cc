// Loads what a page shows and says where that stands; a later load cancels an earlier one.
//
//   load = new Load(this, (signal) => api.get('/keyspace', { signal }));
//   render() { return this.load.view((data) => html`…`); }
//
// `data` stays while it is loaded again and also when that fails, so a page never goes blank; `error` then says so.

import { html } from 'lit';
import './components/hs-notice.js';

export class Load {
  data = null;
  error = null;
  loading = false;
  loadedAt = null;
  #host;
  #fetch;
  #running = null;

  constructor(host, fetch) {
    this.#host = host;
    this.#fetch = fetch;
    host.addController(this);
  }

  hostConnected() {
    this.reload();
  }

  hostDisconnected() {
    this.#running?.abort();
  }

  async reload() {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.loading = true;
    this.#host.requestUpdate();
    try {
      this.data = await this.#fetch(running.signal);
      this.error = null;
      this.loadedAt = Date.now();
    } catch (error) {
      if (running.signal.aborted) return;
      this.error = error;
    }
    if (this.#running !== running) return;
    this.loading = false;
    this.#host.requestUpdate();
  }

  /** The data by `render`, or the notice that stands in for it; a failed reload is told above the old data. */
  view(render, { loading = 'Loading…' } = {}) {
    const failed = this.error && html`<hs-error .error=${this.error} @retry=${() => this.reload()}></hs-error>`;
    if (this.data !== null) return html`${failed ?? ''}${render(this.data)}`;
    return failed ?? html`<hs-loading label=${loading}></hs-loading>`;
  }
}
