// How the states of drivers look: the tone of a pill, and their colours on the map. Reserved ones are AVAILABLE, but held.

import { css, html } from 'lit';
import { words } from '../../format.js';
import '../../components/hs-pill.js';

export const STATUSES = ['AVAILABLE', 'BUSY', 'OFFLINE'];

/** In the order in which they stand round a cluster: name of a mark's count → colour of theme.css. */
export const COLOURS = { available: 'up-fill', reserved: 'degraded-fill', busy: 'busy-fill', offline: 'unknown-fill' };

const TONES = { AVAILABLE: 'up', RESERVED: 'degraded', BUSY: 'busy' };

export function pill(status) {
  return html`<hs-pill data-status=${status} state=${TONES[status] ?? 'unknown'}>${words(String(status).toLowerCase())}</hs-pill>`;
}

/** What a driver is to a reader. */
export function shownStatus({ status, reserved_until: until }) {
  return status === 'AVAILABLE' && until ? 'RESERVED' : status;
}

/** The parts of a mark, so that a reserved one counts once. */
export function parts({ available, reserved, busy, offline }) {
  return { available: available - reserved, reserved, busy, offline };
}

/** What stands below the name of a row. */
export const rowStyles = css`
  .driver-sub { display: block; color: var(--ink-faint); font-size: var(--small); overflow-wrap: anywhere; unicode-bidi: isolate; }
`;
