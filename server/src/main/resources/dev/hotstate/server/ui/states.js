// Every state the product shows, by what it means to a reader: five tones, each with a colour and a shape.

const TONES = {
  up: ['up', 'ready', 'ok', 'live', 'closed', 'succeeded', 'available', 'allowed', 'resolved', 'delivered'],
  degraded: ['degraded', 'half_open', 'warning', 'waiting', 'delayed', 'retrying', 'stale', 'connecting'],
  down: ['down', 'lost', 'open', 'error', 'failed', 'denied', 'offline', 'dead'],
  busy: ['busy', 'rebuilding', 'running', 'sending', 'maintenance'],
};

const BY_STATE = new Map(Object.entries(TONES).flatMap(([tone, states]) => states.map((state) => [state, tone])));

/** "up", "degraded", "down", "busy" or "unknown" (paused, pending, idle, skipped, whatever is new). */
export function tone(state) {
  return BY_STATE.get(String(state).toLowerCase()) ?? 'unknown';
}
