// How the states of jobs and tasks look: the tone of a pill, and the colour of a task in a picture.

import { css, html } from 'lit';
import { words } from '../../format.js';
import '../../components/hs-pill.js';

export const JOB_STATUSES = ['PENDING', 'RUNNING', 'PAUSED', 'SUCCEEDED', 'FAILED', 'CANCELLED'];
export const TASK_STATUSES = ['WAITING', 'READY', 'DELAYED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED'];

const TONES = {
  READY: 'degraded', DELAYED: 'degraded', PAUSED: 'degraded', RUNNING: 'busy', SUCCEEDED: 'up', FAILED: 'down',
};

/** Names of theme.css: what fills a task in a picture, and what is written on it. */
export const COLOURS = {
  WAITING: ['unknown-tint', 'ink-soft'],
  READY: ['degraded-tint', 'degraded'],
  DELAYED: ['degraded-tint', 'degraded'],
  RUNNING: ['busy-tint', 'busy'],
  SUCCEEDED: ['up-tint', 'up'],
  FAILED: ['down-tint', 'down'],
  SKIPPED: ['sunken', 'ink-faint'],
  CANCELLED: ['sunken', 'ink-faint'],
};

/** The colour of its edge, or of its bar. */
export const FILLS = {
  WAITING: 'unknown-fill', READY: 'degraded-fill', DELAYED: 'degraded-fill', RUNNING: 'busy-fill',
  SUCCEEDED: 'up-fill', FAILED: 'down-fill', SKIPPED: 'unknown-fill', CANCELLED: 'unknown-fill',
};

export const ended = (status) => ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(status);

export function pill(status) {
  return html`<hs-pill data-status=${status} state=${TONES[status] ?? 'unknown'}>${words(String(status).toLowerCase())}</hs-pill>`;
}

/** "12 succeeded, 1 failed, 3 waiting": those that there are. */
export function countsText(counts = {}) {
  return Object.entries(counts).filter(([, count]) => count > 0).map(([status, count]) => `${count.toLocaleString()} ${status}`).join(', ');
}

/** A name with its id below, in tables. */
export const nameStyles = css`
  .job-name { font-weight: 580; overflow-wrap: anywhere; unicode-bidi: isolate; text-decoration: none; }
  a.job-name:hover { text-decoration: underline; }
  .job-sub { display: block; color: var(--ink-faint); font-size: var(--small); overflow-wrap: anywhere; }
`;
