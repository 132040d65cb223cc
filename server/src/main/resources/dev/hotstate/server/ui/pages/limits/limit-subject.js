// <limit-subject .rules=${items}></limit-subject>: how one subject stands under a rule, and its reset.
// `look({ rule, subject, tag })` fills the form and asks.

import { css, html, nothing } from 'lit';
import { api } from '../../api.js';
import { LightElement } from '../../components/light.js';
import { confirm } from '../../components/hs-confirm.js';
import { toast } from '../../components/hs-toast.js';
import { duration, number } from '../../format.js';
import { session } from '../../session.js';
import '../../components/hs-card.js';
import '../../components/hs-meter.js';
import '../../components/hs-notice.js';
import '../../components/hs-pill.js';

class LimitSubject extends LightElement {
  static properties = { rules: { attribute: false }, other: { state: true }, state: { state: true }, error: { state: true }, busy: { state: true } };
  static styles = css`
    .limit-subject form { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); gap: 0.75rem; align-items: end; }
    .limit-subject form > div { display: grid; gap: 0.25rem; }
    .limit-subject label { font-size: var(--small); }
    .limit-subject select, .limit-subject input { inline-size: 100%; }
    .limit-state { display: grid; gap: 0.85rem; padding-block-start: 1rem; border-block-start: 1px solid var(--line); }
    .limit-state-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; }
    .limit-state-head b { overflow-wrap: anywhere; font-weight: 600; }
    .limit-state-head button { margin-inline-start: auto; }
  `;

  /** Fills the form and asks how the subject stands; the rule may be one that nobody can edit, as the server's own. */
  async look({ rule, subject, tag }) {
    this.other = this.rules?.some(({ id }) => id === rule) ? null : rule;
    await this.updateComplete;
    const form = this.renderRoot.querySelector('form');
    form.elements.rule.value = rule;
    form.elements.subject.value = subject;
    form.elements.tag.value = tag === subject ? '' : tag;
    await this.#ask(rule, subject, tag);
    this.scrollIntoView({ block: 'nearest' });
  }

  render() {
    return html`
      <hs-card class="limit-subject" heading="One subject" level="2">
        <form @submit=${this.#submitted}>
          <div><label for="limit-rule">Rule</label><select id="limit-rule" name="rule" required>${(this.rules ?? []).map((rule) => html`<option>${rule.id}</option>`)}${this.other ? html`<option>${this.other}</option>` : nothing}</select></div>
          <div><label for="limit-who">Subject</label><input id="limit-who" name="subject" required autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="user:123"></div>
          <div><label for="limit-tag">Tag</label><input id="limit-tag" name="tag" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="the subject"></div>
          <button ?disabled=${this.busy || !(this.rules?.length || this.other)}>Look</button>
        </form>
        ${this.error ? html`<hs-error .error=${this.error} no-retry></hs-error>` : nothing}
        <div role="status">${this.state ? this.#shown(this.state) : nothing}</div>
      </hs-card>
    `;
  }

  #shown(state) {
    const denies = state.retry_after_ms > 0 || state.shadow_denied === true; // a rule in shadow never makes anybody wait
    const most = this.rules.find((rule) => rule.id === state.rule)?.burst ?? state.limit;
    return html`
      <div class="limit-state" data-subject=${state.subject} data-remaining=${state.remaining}>
        <div class="limit-state-head">
          <b>${state.subject}</b>
          <hs-pill state=${denies ? 'denied' : 'allowed'}>${denies ? (state.shadow ? 'Would be denied' : 'Denied') : 'Allowed'}</hs-pill>
          ${session.can('operator') ? html`<button name="reset" @click=${() => this.#reset(state)}>Reset</button>` : nothing}
        </div>
        <hs-meter label="Remaining" .value=${state.remaining} .max=${most} text="${number(state.remaining)} of ${number(most)} left" state=${denies ? 'denied' : 'allowed'}></hs-meter>
        <dl class="facts">
          <div><dt>Remaining</dt><dd>${number(state.remaining)} of ${number(most)}</dd></div>
          <div><dt>All back in</dt><dd>${duration(state.reset_after_ms)}</dd></div>
          <div><dt>Next chance in</dt><dd>${state.retry_after_ms > 0 ? duration(state.retry_after_ms) : 'now'}</dd></div>
          <div><dt>Told by</dt><dd>${state.decided_by}</dd></div>
        </dl>
      </div>
    `;
  }

  #submitted(event) {
    event.preventDefault();
    const { rule, subject, tag } = event.target.elements;
    this.#ask(rule.value, subject.value, tag.value || subject.value);
  }

  async #ask(rule, subject, tag) {
    this.busy = true;
    this.error = null;
    try {
      this.state = await api.get(path(rule, subject), { query: { tag } });
    } catch (error) {
      this.state = null;
      this.error = error;
    }
    this.busy = false;
  }

  async #reset({ rule, subject, tag }) {
    const yes = await confirm({ title: `Reset ${subject}?`, text: `What it spent under ${rule} is forgotten: it has its full limit again.`, action: 'Reset', danger: true });
    if (!yes) return;
    try {
      await api.delete(path(rule, subject), { query: { tag } });
      toast('The subject is reset', { detail: `${subject} under ${rule}` });
    } catch (error) {
      toast('Could not reset', { state: 'error', detail: error.message });
    }
    await this.#ask(rule, subject, tag);
  }
}

function path(rule, subject) {
  return `/limits/${encodeURIComponent(rule)}/${encodeURIComponent(subject)}`;
}

customElements.define('limit-subject', LimitSubject);
