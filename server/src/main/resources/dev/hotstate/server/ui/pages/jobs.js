// Jobs: the list with its progress; queues, workers and schedules each in their tab; and a form to run one. Which of
// them, and what the list is narrowed to, stands in the address: /ui/jobs?view=queues, /ui/jobs?status=RUNNING.

import { css, html, nothing } from 'lit';
import { LightElement } from '../components/light.js';
import { href, navigate } from '../router.js';
import { session } from '../session.js';
import './jobs/job-form.js';
import './jobs/job-list.js';
import './jobs/queue-list.js';
import './jobs/schedule-list.js';
import './jobs/worker-list.js';
import '../components/hs-card.js';
import '../components/hs-icon.js';
import '../components/hs-notice.js';

const TABS = { list: 'Jobs', queues: 'Queues', workers: 'Workers', schedules: 'Schedules' };

export default class JobsPage extends LightElement {
  static properties = { query: { attribute: false } };
  static styles = css`
    .job-filters { display: flex; flex-wrap: wrap; gap: 0.4rem; }
    .job-filters button { min-block-size: 1.9rem; border-radius: 99px; }
    .job-filters button[aria-pressed="true"] { border-color: var(--ember); color: var(--ember); }
    .job-progress { display: grid; gap: 0.3rem; min-inline-size: 8rem; }
    .job-progress small { color: var(--ink-faint); font-size: var(--tiny); }
  `;

  render() {
    const view = this.query?.view ?? 'list';
    return html`
      <div class="page">
        <header class="page-head">
          <div>
            <h1 tabindex="-1">Jobs</h1>
            <p>What is to be done, in which order, how far it is, and who does it.</p>
          </div>
          <div class="actions">
            ${session.can('operator') && view !== 'new' ? html`<a class="button primary" data-action="run" href="${href('/jobs')}?view=new"><hs-icon name="plus"></hs-icon>Run a job</a>` : nothing}
          </div>
        </header>
        <nav class="tabs" aria-label="Jobs">
          ${Object.entries(TABS).map(([name, title]) => html`<a href="${href('/jobs')}${name === 'list' ? '' : `?view=${name}`}" aria-current=${name === view ? 'page' : nothing}>${title}</a>`)}
        </nav>
        ${this.#view(view)}
      </div>
    `;
  }

  #view(view) {
    switch (view) {
      case 'queues': return html`<queue-list></queue-list>`;
      case 'workers': return html`<worker-list></worker-list>`;
      case 'schedules': return html`<schedule-list></schedule-list>`;
      case 'new': return this.#new();
      default: return html`<job-list .status=${this.query?.status ?? ''} @asked=${({ detail }) => this.#ask(detail)}></job-list>`;
    }
  }

  #new() {
    if (!session.can('operator')) return html`<hs-empty heading="Only operators run jobs" icon="jobs">Your token may look, but not change anything.</hs-empty>`;
    return html`
      <hs-card heading="A new job" level="2">
        <job-form @submitted=${({ detail }) => navigate(`/jobs/${detail.id}`)} @closed=${() => navigate('/jobs')}></job-form>
      </hs-card>
    `;
  }

  #ask({ status }) {
    navigate(status ? `/jobs?status=${status}` : '/jobs', { replace: true });
  }
}

customElements.define('jobs-page', JobsPage);
