// Uptime in percent, as it is read and coloured.

import { NONE } from '../../format.js';

const fine = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** Never rounded up to 100: an outage does not vanish. */
export function uptimeText(percent) {
  if (typeof percent !== 'number') return NONE;
  const shown = percent < 100 ? Math.min(percent, 99.99) : 100;
  return `${fine.format(Math.floor(shown * 100) / 100)}%`;
}

/** "up", "degraded", "down" or "unknown". */
export function uptimeTone(percent) {
  if (typeof percent !== 'number') return 'unknown';
  if (percent >= 99.9) return 'up';
  return percent >= 95 ? 'degraded' : 'down';
}
