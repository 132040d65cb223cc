// <ping-url url="https://…/ping/key"></ping-url>: where the job of a push monitor reports, to be copied, and how.

import { css, html } from 'lit';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import '../../components/hs-icon.js';

class PingUrl extends LightElement {
  static properties = { url: {} };
  static styles = css`
    .ping-url { display: grid; gap: 0.6rem; padding: 0.9rem 1rem; border-radius: var(--radius-small); background: var(--sunken); }
    .ping-url div { display: flex; flex-wrap: wrap; gap: 0.5rem; }
    .ping-url input { flex: 1 1 18rem; min-inline-size: 0; font-family: var(--font-code); font-size: 0.8125rem; }
    .ping-url pre { margin: 0; overflow-x: auto; line-height: 1.6; }
    .ping-url small { color: var(--ink-faint); }
  `;

  render() {
    return html`
      <div class="ping-url">
        <label for="ping-url">Where its job reports</label>
        <div>
          <input id="ping-url" readonly .value=${this.url} @focus=${(event) => event.target.select()}>
          <button name="copy" @click=${this.#copy}><hs-icon name="copy"></hs-icon>Copy</button>
        </div>
        <pre><code>curl -fsS ${this.url}/start
backup.sh; curl -fsS ${this.url}/$?</code></pre>
        <small>Whoever has this URL can report for the job. <code>/start</code> and <code>/fail</code> are optional; a number is an exit code, of which 0 is well.</small>
      </div>
    `;
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.url);
      toast('Copied');
    } catch {
      this.renderRoot.querySelector('input').select(); // without HTTPS there is no clipboard: the reader copies by hand
      toast('Press Ctrl+C to copy it', { state: 'unknown' });
    }
  }
}

customElements.define('ping-url', PingUrl);
