// <limit-editor .rules=${items} version="7" @applied=${…} @closed=${…} @stale=${…}></limit-editor>: all rules as text.
// Changes are shown before they are applied, and applied only if the rules are still those that were shown. `focusOn(id)`
// puts the cursor on one rule.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { toast } from '../../components/hs-toast.js';
import { count } from '../../format.js';
import { contentType, placeOf, toYaml } from './rules-yaml.js';
import '../../components/hs-card.js';
import '../../components/hs-notice.js';

class LimitEditor extends LightElement {
  static properties = { rules: { attribute: false }, version: { type: Number }, plan: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = css`
    .limit-editor textarea { inline-size: 100%; min-block-size: 20rem; resize: vertical; font-family: var(--font-code); font-size: 0.8125rem; line-height: 1.6; tab-size: 2; }
    .limit-editor .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
    .limit-plan { display: grid; gap: 0.3rem; margin: 0; padding: 0.75rem 1rem; border-radius: var(--radius-small); background: var(--sunken); list-style: none; font-family: var(--font-code); font-size: 0.8125rem; overflow-wrap: anywhere; }
    .limit-plan .created { color: var(--up); }
    .limit-plan .updated { color: var(--degraded); }
    .limit-plan .deleted { color: var(--down); }
    .limit-plan span { color: var(--ink-soft); }
  `;

  #text = '';
  #basis = 0;

  willUpdate() {
    if (this.hasUpdated) return;
    this.#text = toYaml(this.rules);
    this.#basis = this.version;
  }

  /** Puts the cursor on a rule. */
  async focusOn(id) {
    await this.updateComplete;
    const area = this.renderRoot.querySelector('textarea');
    const place = id === null ? null : placeOf(area.value, id);
    area.focus();
    area.setSelectionRange(place?.start ?? 0, place?.end ?? 0);
    const line = parseFloat(getComputedStyle(area).lineHeight);
    area.scrollTop = Math.max(0, (area.value.slice(0, place?.start ?? 0).split('\n').length - 2) * line);
    this.scrollIntoView({ block: 'nearest' });
  }

  render() {
    const { plan, error, busy } = this;
    const changes = plan ? plan.created.length + plan.updated.length + plan.deleted.length : 0;
    return html`
      <hs-card class="limit-editor" heading="Edit the rules" level="2">
        ${this.#basis === this.version ? nothing : html`
          <hs-banner state="degraded" heading="The rules have changed meanwhile">
            They are at version ${this.version}; this text began with version ${this.#basis}.
            <button slot="actions" @click=${this.#beginAnew}>Begin anew from version ${this.version}</button>
          </hs-banner>`}
        <label for="limit-rules">All rules, as YAML or JSON. A rule that is not here is deleted.</label>
        <textarea id="limit-rules" spellcheck="false" autocomplete="off" .value=${this.#text} aria-describedby="limit-plan" @input=${this.#edited}></textarea>
        ${error ? html`<hs-error .error=${error} no-retry></hs-error>` : nothing}
        <div id="limit-plan" role="status">${plan ? this.#plan(plan, changes) : nothing}</div>
        <div class="buttons">
          <button name="plan" ?disabled=${busy} @click=${this.#show}>Show changes</button>
          <button name="apply" class="primary" ?disabled=${busy || changes === 0} @click=${this.#apply}>${changes === 0 ? 'Apply' : `Apply ${count(changes, 'change')}`}</button>
          <button class="plain" @click=${() => this.dispatchEvent(new Event('closed'))}>Close</button>
        </div>
      </hs-card>
    `;
  }

  #plan(plan, changes) {
    if (changes === 0) return html`<p class="muted">Nothing would change.</p>`;
    const of = (id) => plan.changes.filter((change) => change.id === id);
    return html`
      <ul class="limit-plan" aria-label="What would change">
        ${plan.created.map((id) => html`<li class="created">+ ${id}</li>`)}
        ${plan.updated.map((id) => html`<li class="updated">~ ${id} <span>${of(id).map((change) => `${change.field} ${change.from ?? 'none'} → ${change.to ?? 'none'}`).join(', ')}</span></li>`)}
        ${plan.deleted.map((id) => html`<li class="deleted">- ${id}</li>`)}
      </ul>
    `;
  }

  #edited(event) {
    this.#text = event.target.value;
    this.plan = null;
    this.error = null;
  }

  #beginAnew() {
    this.#text = toYaml(this.rules);
    this.#basis = this.version;
    this.plan = null;
    this.error = null;
    this.requestUpdate();
  }

  #show() {
    return this.#send({ dry_run: true }, (plan) => (this.plan = plan));
  }

  #apply() {
    return this.#send({}, (report) => {
      toast('The rules are applied', { detail: `Version ${report.version}` });
      this.dispatchEvent(new Event('applied'));
    });
  }

  async #send(query, done) {
    this.busy = true;
    this.error = null;
    try {
      const headers = { 'Content-Type': contentType(this.#text), 'If-Match': `"${this.#basis}"` };
      done(await api.put('/limits/rules', this.#text, { query, headers }));
    } catch (error) {
      this.plan = null;
      this.error = error;
      if (error.status === 412) this.dispatchEvent(new Event('stale'));
    }
    this.busy = false;
  }
}

customElements.define('limit-editor', LimitEditor);
