// Who is looking, and at which server: /ui/config.json, read once at the start.
// Fires `change` when it is read and `signin` when the server no longer knows the caller.

const RANK = ['viewer', 'operator', 'admin'];

class Session extends EventTarget {
  config = null;
  #expired = false;

  async load() {
    const response = await fetch('/ui/config.json', { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`/ui/config.json answered ${response.status}`);
    this.config = await response.json();
    this.#expired = false;
    this.dispatchEvent(new Event('change'));
  }

  get signInNeeded() {
    return this.#expired || (this.config?.auth === 'token' && this.config.role === null);
  }

  get canSignOut() {
    return this.config?.auth === 'token' && this.config.role !== null;
  }

  /** Whether to offer what `role` may do. The server decides again at each call; this only hides what it would refuse. */
  can(role) {
    if (this.config?.auth === 'none') return true;
    return RANK.indexOf(this.config?.role) >= RANK.indexOf(role);
  }

  has(feature) {
    return this.config?.features?.includes(feature) ?? false;
  }

  expire() {
    if (this.#expired) return;
    this.#expired = true;
    this.dispatchEvent(new Event('signin'));
  }
}

export const session = new Session();
