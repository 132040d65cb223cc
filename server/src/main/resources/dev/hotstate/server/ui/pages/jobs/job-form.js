// <job-form @submitted @closed>: a job as a document, YAML or JSON, sent as it is; the server says what is wrong with it.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import '../../components/hs-notice.js';

const EXAMPLE = `name: Monthly invoices
tasks:
  - id: collect
  - id: render
    needs: [collect]
    max_retries: 3
  - id: send
    needs: [render]
  - id: alarm
    needs: [collect, render, send]
    trigger: one_failed
`;

class JobForm extends LightElement {
  static properties = { error: { state: true }, busy: { state: true } };
  static styles = css`.job-document { min-block-size: 20rem !important; tab-size: 2; white-space: pre; overflow-x: auto; }`;

  render() {
    return html`
      <form class="form" @submit=${this.#submit}>
        ${this.error ? html`<hs-error no-retry .error=${this.error}></hs-error>` : nothing}
        <div class="field">
          <label for="document">The job, as YAML or JSON</label>
          <textarea id="document" name="document" class="code job-document" spellcheck="false" required .value=${EXAMPLE}></textarea>
          <small>A task without <code>run</code> waits for a worker that asks for it: <code>POST /tasks/claim</code>. <a href="/docs">The reference</a> has every field.</small>
        </div>
        <div class="buttons">
          <button class="primary" type="submit" ?disabled=${this.busy}>Run it</button>
          <button class="plain" type="button" @click=${() => this.dispatchEvent(new Event('closed'))}>Cancel</button>
        </div>
      </form>
    `;
  }

  async #submit(event) {
    event.preventDefault();
    const text = this.renderRoot.querySelector('#document').value;
    this.busy = true;
    try {
      const type = text.trimStart().startsWith('{') ? 'application/json' : 'application/yaml';
      const job = await api.post('/jobs', text, { headers: { 'Content-Type': type } });
      toast('The job is submitted', { detail: job.name });
      this.dispatchEvent(new CustomEvent('submitted', { detail: job }));
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
  }
}

customElements.define('job-form', JobForm);
