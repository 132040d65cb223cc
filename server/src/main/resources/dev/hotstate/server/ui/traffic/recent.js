// The last five minutes of GET /traffic as this page has seen them: `points` of {at, requests, errors, p95}, the
// second and third per second. Rates are of the totals over about three seconds, since instances tell theirs once a second.

const KEPT_MS = 5 * 60_000;
const SPAN_MS = 3000;
const GAP_MS = 5000;

export class Recent {
  points = [];
  #totals = [];
  #distrustUntil = 0;

  /** The share of requests that failed within what is kept, or null while nothing came in. */
  get errorShare() {
    const sum = (field) => this.points.reduce((total, point) => total + (point[field] ?? 0), 0);
    return sum('requests') > 0 ? Math.min(1, sum('errors') / sum('requests')) : null;
  }

  add({ requests, errors, response_ms: times }, at = Date.now()) {
    const last = this.points.at(-1);
    if (last && at - last.at > GAP_MS) this.#interrupt(last.at);
    const rate = this.#rate({ at, requests: requests.total, errors: errors.total });
    this.points = [...this.points.filter((point) => point.at > at - KEPT_MS), { at, ...rate, p95: times.p95 }];
  }

  // Nobody looked for a while: the line breaks rather than to claim a straight way.
  #interrupt(at) {
    this.points = [...this.points, { at: at + 1 }];
    this.#totals = [];
  }

  // Totals fall when Redis was lost, and jump when they are restored a moment later: neither was traffic.
  #rate(now) {
    if (now.requests < (this.#totals.at(-1)?.requests ?? 0)) {
      this.#distrustUntil = now.at + GAP_MS;
    }
    if (now.at < this.#distrustUntil) this.#totals = [];
    this.#totals = [...this.#totals.filter(({ at }) => at >= now.at - SPAN_MS - 500), now];
    const first = this.#totals[0];
    const seconds = (now.at - first.at) / 1000;
    if (seconds === 0) return { requests: null, errors: null };
    return { requests: (now.requests - first.requests) / seconds, errors: Math.max(0, now.errors - first.errors) / seconds };
  }
}
