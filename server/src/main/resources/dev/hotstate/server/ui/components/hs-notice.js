// What stands where data is not:
//   <hs-loading label="Loading jobs…"></hs-loading>                       (shown after 250 ms, so that quick loads do not flicker)
//   <hs-empty heading="No jobs yet">What to do next. <a …>…</a></hs-empty>
//   <hs-error .error=${error} @retry=${() => …}></hs-error>               (an ApiError or any Error; `retry` only if listened to: set `no-retry` otherwise)
//   <hs-banner state="degraded" heading="…">…</hs-banner>                 (a remark above data that is there)

import { LitElement, css, html, nothing } from 'lit';
import { duration } from '../format.js';
import { tone } from '../states.js';
import './hs-icon.js';

const shared = css`
  :host { display: block; }
  .centre { display: grid; justify-items: center; gap: 0.5rem; padding: 2.25rem 1.25rem; text-align: center; color: var(--ink-faint); }
  .centre hs-icon { --icon-size: 28px; color: var(--line-strong); }
  strong { color: var(--ink); font-weight: 600; }
  p { margin: 0; max-inline-size: 56ch; overflow-wrap: anywhere; }
  button { min-block-size: 2.25rem; padding: 0 0.85rem; border: 1px solid var(--line-strong); border-radius: var(--radius-small); background: none; color: inherit; font: inherit; font-size: 0.875rem; font-weight: 550; cursor: pointer; }
  button:focus-visible { outline: 2px solid var(--ember); outline-offset: 2px; }
`;

class HsLoading extends LitElement {
  static properties = { label: {} };
  static styles = [
    shared,
    css`
      .centre { animation: appear 1ms 250ms both; }
      @keyframes appear { from { visibility: hidden; } }
      .beats { display: flex; gap: 5px; align-items: center; block-size: 24px; }
      i { inline-size: 5px; block-size: 20px; border-radius: 3px; background: var(--unknown-fill); animation: beat 1.1s ease-in-out infinite; }
      i:nth-child(2) { animation-delay: 0.12s; }
      i:nth-child(3) { animation-delay: 0.24s; }
      i:nth-child(4) { animation-delay: 0.36s; }
      @keyframes beat { 40% { scale: 1 0.35; background: var(--ember); } }
      @media (prefers-reduced-motion: reduce) { i { animation: none; } }
    `,
  ];

  render() {
    return html`<div class="centre" role="status"><div class="beats" aria-hidden="true"><i></i><i></i><i></i><i></i></div><p>${this.label ?? 'Loading…'}</p></div>`;
  }
}

class HsEmpty extends LitElement {
  static properties = { heading: {}, icon: {} };
  static styles = shared;

  render() {
    return html`<div class="centre"><hs-icon name=${this.icon ?? 'empty'}></hs-icon><strong>${this.heading}</strong><p><slot></slot></p></div>`;
  }
}

class HsBanner extends LitElement {
  static properties = { state: {}, heading: {} };
  static styles = [
    shared,
    css`
      .banner { display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem 0.85rem; padding: 0.75rem 1rem; border-radius: var(--radius); background: var(--tint); color: var(--tone); }
      .banner > div { flex: 1 1 16rem; min-inline-size: 0; font-size: 0.875rem; }
      .banner strong { color: inherit; }
      .banner p { max-inline-size: 80ch; }
      .up { --tone: var(--up); --tint: var(--up-tint); }
      .degraded { --tone: var(--degraded); --tint: var(--degraded-tint); }
      .down { --tone: var(--down); --tint: var(--down-tint); }
      .busy { --tone: var(--busy); --tint: var(--busy-tint); }
      .unknown { --tone: var(--ink-soft); --tint: var(--unknown-tint); }
    `,
  ];

  render() {
    return html`<div class="banner ${tone(this.state)}"><hs-icon name="warning"></hs-icon><div><strong>${this.heading}</strong><p><slot></slot></p></div><slot name="actions"></slot></div>`;
  }
}

class HsError extends LitElement {
  static properties = { error: { attribute: false }, noRetry: { type: Boolean, attribute: 'no-retry' } };
  static styles = [HsBanner.styles, css`small { opacity: 0.85; } ul { margin: 0.25rem 0 0; padding-inline-start: 1.1rem; }`].flat();

  render() {
    const { title, detail, message, errors = [], requestId, retryAfter } = this.error ?? {};
    const text = title ? detail : message;
    return html`
      <div class="banner down" role="alert">
        <hs-icon name="warning"></hs-icon>
        <div>
          <strong>${title ?? 'Something went wrong'}</strong>
          ${text && text !== title ? html`<p>${text}</p>` : nothing}
          ${errors.length > 0 ? html`<ul>${errors.map((error) => html`<li>${error.field ? html`<b>${error.field}</b>: ` : nothing}${error.message}</li>`)}</ul>` : nothing}
          ${retryAfter ? html`<p>It asks to wait ${duration(retryAfter * 1000)}.</p>` : nothing}
          ${requestId ? html`<small>Request ${requestId}</small>` : nothing}
        </div>
        ${this.noRetry ? nothing : html`<button @click=${() => this.dispatchEvent(new Event('retry'))}>Try again</button>`}
      </div>
    `;
  }
}

customElements.define('hs-loading', HsLoading);
customElements.define('hs-empty', HsEmpty);
customElements.define('hs-banner', HsBanner);
customElements.define('hs-error', HsError);
