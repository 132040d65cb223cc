// Limits: the rules with what they allow and deny now, who is limited most, one subject's state, and the rules' editor.

import { css, html, nothing } from 'lit';
import { LightElement } from '../components/light.js';
import { api } from '../api.js';
import { toast } from '../components/hs-toast.js';
import { dateTime, number, relative } from '../format.js';
import { Live } from '../live.js';
import { Load } from '../load.js';
import { session } from '../session.js';
import './limits/limit-editor.js';
import './limits/limit-subject.js';
import '../components/hs-card.js';
import '../components/hs-chart.js';
import '../components/hs-icon.js';
import '../components/hs-notice.js';
import '../components/hs-pill.js';
import '../components/hs-spark.js';
import '../components/hs-table.js';

const REFRESH_MS = 2000;
const TOP = 20;
const STEP_MS = 10_000;
const OWN_RULE = 'requests'; // the server's own limit on its callers
const LATE_MS = 600; // within half a second every instance has what another one applied
const WITHOUT_REDIS = { open: 'allows all', closed: 'denies all', local: 'each instance alone' };

export default class LimitsPage extends LightElement {
  static properties = { editing: { state: true } };
  static styles = css`
    .limit-name { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.6rem; }
    .limit-name b { font-weight: 600; overflow-wrap: anywhere; }
    .limit-figure { white-space: nowrap; }
    .limit-rule { display: block; min-inline-size: 6.5rem; }
    .limit-spark { inline-size: 9rem; --hs-spark-height: 26px; }
    .limit-top .hs-table-scroll { border-width: 1px 0 0; border-radius: 0; }
    .limit-top .hs-table-pages { margin: 0.5rem 1.25rem; }
    .limit-denying { color: var(--down); font-weight: 600; }
    .limit-detail { display: grid; gap: 1.1rem; max-inline-size: 64rem; }
    .limit-detail .sparks { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1.25rem; }
    .limit-detail h3 { margin-block-end: 0.35rem; font-size: var(--tiny); font-weight: 500; letter-spacing: 0; color: var(--ink-faint); }
    .limit-detail .denied { --hs-spark-colour: var(--down-fill); }
    .limit-detail .shadow { --hs-spark-colour: var(--degraded-fill); }
  `;

  rules = new Load(this, (signal) => api.get('/limits/rules', { query: { limit: 1000 }, signal }));
  rates = new Load(this, (signal) => api.get('/limits/rates', { signal }));
  top = new Load(this, (signal) => api.get('/limits/top', { query: { limit: TOP }, signal }));
  live = new Live(this, {
    'limits.rules_changed': ({ data }) => this.#catchUp(data?.version),
    reset: () => this.rules.reload(),
  });
  #timer = null;
  #drawn = null;

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => this.#refresh(), REFRESH_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  // A slow answer is waited for: asking again would cancel it, and it would never come.
  #refresh() {
    if (document.hidden) return;
    for (const load of [this.rates, this.top]) if (!load.loading) load.reload();
  }

  // The news may be here before the instance that answers us has read the new rules itself.
  async #catchUp(version) {
    await this.rules.reload();
    if (this.rules.data?.version < version) setTimeout(() => this.isConnected && this.rules.reload(), LATE_MS);
  }

  render() {
    const set = this.rules.data;
    return html`
      <div class="page">
        <header class="page-head">
          <div>
            <h1 tabindex="-1">Limits</h1>
            <p>Who may do how much. A rule counts for the whole fleet, and a denial spends nothing.</p>
          </div>
          <div class="actions">
            ${set ? html`<span class="muted small" title=${set.created_at ? `${dateTime(set.created_at)} by ${set.created_by}` : nothing}>Version ${number(set.version)}${set.created_at ? `, ${relative(set.created_at)}` : nothing}</span>` : nothing}
            ${set && session.can('operator') && !this.editing ? html`<button name="edit" @click=${() => this.#edit(null)}>Edit the rules</button>` : nothing}
          </div>
        </header>
        ${this.rules.view((data) => this.#page(data), { loading: 'Loading the rules…' })}
      </div>
    `;
  }

  #page({ items, version }) {
    const rows = items.map((rule) => ({ ...rule, ...seriesOf(this.rates.data, rule.id) }));
    return html`
      ${this.editing ? html`<limit-editor .rules=${items} version=${version} @applied=${this.#applied} @closed=${() => (this.editing = false)} @stale=${() => this.rules.reload()}></limit-editor>` : nothing}
      ${this.rates.error ? html`<hs-error .error=${this.rates.error} @retry=${() => this.rates.reload()}></hs-error>` : nothing}
      ${rows.length > 0 && this.rates.data ? this.#chart(rows, this.rates.data, version) : nothing}
      <section class="section">
        <h2>Rules</h2>
        <hs-table
          label="rules"
          placeholder="Search rule, algorithm"
          .columns=${COLUMNS}
          .rows=${rows}
          .detail=${(rule) => this.#detail(rule)}
          .empty=${html`<hs-empty heading="No rules yet" icon="limits">Write them here, or apply a file: <code>hotstate limits apply FILE</code></hs-empty>`}
        ></hs-table>
      </section>
      <div class="grid wide">
        <limit-subject .rules=${items}></limit-subject>
        ${this.#top()}
      </div>
    `;
  }

  // Drawn anew only when there is something new: every ten seconds, and not with every answer.
  #chart(rows, data, version) {
    const key = `${data.until} ${version}`;
    if (this.#drawn?.key !== key) {
      const total = (field) => Array.from({ length: data.points }, (_, i) => rows.reduce((sum, rule) => sum + rule[field][i], 0));
      const [allowed, denied] = [total('allowed'), total('denied')];
      this.#drawn = { key, option: option(data, allowed, denied) };
    }
    const now = (field) => rate(rows.reduce((sum, rule) => sum + rule.now[field], 0));
    return html`
      <hs-card heading="Checks a second" level="2">
        <hs-chart label="Checks a second over the last 15 minutes" summary=${`${now('allowed')} allowed and ${now('denied')} denied now`} .option=${this.#drawn.option} height="220"></hs-chart>
      </hs-card>
    `;
  }

  #detail(rule) {
    const spark = (name, field) => html`<div><h3>${name}</h3><hs-spark class=${field} label="${name} a second" .samples=${samples(rule[field === 'shadow' ? 'shadow_denied' : field])} slots="90"></hs-spark></div>`;
    return html`
      <div class="limit-detail">
        <div class="sparks">
          ${spark('Allowed, last 15 minutes', 'allowed')}
          ${rule.shadow ? spark('Would be denied, last 15 minutes', 'shadow') : spark('Denied, last 15 minutes', 'denied')}
        </div>
        <dl class="facts">
          <div><dt>Algorithm</dt><dd>${algorithm(rule)}</dd></div>
          <div><dt>Limit</dt><dd>${limit(rule)}</dd></div>
          <div><dt>Without Redis</dt><dd>${WITHOUT_REDIS[rule.on_error]}</dd></div>
          <div><dt>Shadow</dt><dd>${rule.shadow ? 'counts, denies nothing' : 'no'}</dd></div>
          ${rule.slice ? html`<div><dt>Taken in advance</dt><dd>${number(rule.slice)} for ${rule.lease}</dd></div>` : nothing}
        </dl>
        ${session.can('operator') ? html`<div><button name="edit-rule" @click=${() => this.#edit(rule.id)}>Edit ${rule.id}</button></div>` : nothing}
      </div>
    `;
  }

  #top() {
    return html`
      <hs-card class="limit-top" heading="Most limited" level="2" flush>
        ${this.top.view(({ items }) => html`
          <hs-table noSearch activates label="most limited subjects, last hour" .columns=${TOP_COLUMNS} .rows=${items} pageSize="10"
            .rowKey=${(row) => JSON.stringify([row.rule, row.tag, row.subject])}
            .empty=${html`<hs-empty heading="Nobody was denied">Who is denied most in an hour is listed here.</hs-empty>`}
            @activate=${({ detail }) => this.#look(detail)}></hs-table>`)}
        <p slot="footer">Denials of the last hour. Choose a row to see how it stands.</p>
      </hs-card>
    `;
  }

  #look(subject) {
    if (subject.rule === OWN_RULE || this.rules.data.items.some((rule) => rule.id === subject.rule)) this.querySelector('limit-subject').look(subject);
    else toast(`There is no rule ${subject.rule} to look at`, { state: 'unknown', detail: 'It was deleted.' });
  }

  async #edit(id) {
    this.editing = true;
    await this.updateComplete;
    this.querySelector('limit-editor').focusOn(id);
  }

  #applied() {
    this.editing = false;
    this.rules.reload();
  }
}

const COLUMNS = [
  { key: 'id', label: 'Rule', render: (rule) => html`<div class="limit-name"><b>${rule.id}</b>${rule.shadow ? html`<hs-pill state="paused">Shadow</hs-pill>` : nothing}</div>` },
  { key: 'algorithm', label: 'Algorithm', needs: 'medium', value: algorithm },
  { key: 'limit', label: 'Limit', render: limit },
  { key: 'on_error', label: 'Without Redis', needs: 'wide', value: (rule) => WITHOUT_REDIS[rule.on_error] },
  { key: 'allowed_now', label: 'Allowed', numeric: true, value: (rule) => rule.now.allowed, render: (rule) => rate(rule.now.allowed) },
  { key: 'denied_now', label: 'Denied', numeric: true, value: deniedNow, render: (rule) => html`<span class=${deniedNow(rule) > 0 && !rule.shadow ? 'limit-denying' : nothing}>${rate(deniedNow(rule))}</span>` },
  { key: 'spark', label: 'Last 15 minutes', needs: 'wide', sortable: false, value: () => '', render: (rule) => html`<hs-spark class="limit-spark" label="Checks of ${rule.id} a second" .samples=${samples(rule.allowed.map((value, i) => value + rule.denied[i] + rule.shadow_denied[i]))} slots="90"></hs-spark>` },
];

const TOP_COLUMNS = [
  { key: 'subject', label: 'Subject', render: (row) => html`<b>${row.subject}</b>${row.tag === row.subject ? nothing : html` <span class="muted">in ${row.tag}</span>`}` },
  { key: 'rule', label: 'Rule', render: (row) => html`<span class="limit-rule">${row.rule}</span>` },
  { key: 'denied', label: 'Denied', numeric: true },
];

function seriesOf(rates, id) {
  const found = rates?.items.find((series) => series.rule === id);
  const none = Array.from({ length: rates?.points ?? 0 }, () => 0);
  const now = found?.now ?? { allowed: 0, denied: 0, shadow_denied: 0 };
  return { now, allowed: found?.allowed ?? none, denied: found?.denied ?? none, shadow_denied: found?.shadow_denied ?? none };
}

function deniedNow(rule) {
  return rule.shadow ? rule.now.shadow_denied : rule.now.denied;
}

function samples(values) {
  return values.map((value, i) => ({ at: i, value }));
}

function algorithm(rule) {
  return rule.algorithm.replace('_', ' ');
}

function limit(rule) {
  const burst = rule.burst && rule.burst !== rule.limit ? `, burst ${number(rule.burst)}` : '';
  return html`<span class="limit-figure">${number(rule.limit)}</span> in ${rule.window}${burst}`;
}

function rate(value) {
  return `${number(value ?? 0)}/s`;
}

function option(data, allowed, denied) {
  const end = Date.parse(data.until);
  const at = (i) => end - (data.points - i) * STEP_MS;
  const line = (name, values) => ({ name, type: 'line', showSymbol: false, areaStyle: { opacity: 0.08 }, lineStyle: { width: 1.5 }, data: values.map((value, i) => [at(i), value]) });
  return {
    legend: { top: 0, left: 0 },
    grid: { left: 8, right: 12, top: 36, bottom: 4, containLabel: true },
    tooltip: { trigger: 'axis', valueFormatter: rate },
    xAxis: { type: 'time' },
    yAxis: { type: 'value', minInterval: 1 },
    series: [line('Allowed', allowed), line('Denied', denied)],
  };
}

customElements.define('limits-page', LimitsPage);
