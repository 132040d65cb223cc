// <hs-signin></hs-signin>: exchanges a token for a session cookie that scripts cannot read, then loads the page anew.

import { css, html, nothing } from 'lit';
import { api } from '../api.js';
import { LightElement } from './light.js';
import './hs-icon.js';
import './hs-theme-switch.js';

class HsSignin extends LightElement {
  static properties = { error: { state: true }, busy: { state: true }, shown: { state: true } };
  static styles = css`
    .signin { display: grid; place-content: center; justify-items: center; min-block-size: 100vh; padding: 2rem 1rem; }
    .signin-card { inline-size: min(24rem, calc(100vw - 2rem)); padding: 2rem; border: 1px solid var(--line); border-radius: 16px; background: var(--surface); box-shadow: var(--shadow); }
    .signin h1 { margin-block: 1.25rem 0.35rem; font-size: 1.5rem; }
    .signin form { display: grid; gap: 0.5rem; margin-block-start: 1.5rem; }
    .signin .token { display: flex; gap: 0.4rem; }
    .signin .token input { flex: 1; min-inline-size: 0; min-block-size: 2.6rem; font-family: var(--font-code); font-size: 0.875rem; }
    .signin .token button { min-block-size: 2.6rem; inline-size: 2.6rem; }
    .signin form > button { min-block-size: 2.6rem; margin-block-start: 0.75rem; }
    .signin [role="alert"] { color: var(--down); font-size: 0.875rem; }
    .signin .help { margin-block-start: 1.25rem; padding-block-start: 1.25rem; border-block-start: 1px solid var(--line); font-size: var(--small); color: var(--ink-faint); }
    .signin hs-theme-switch { margin-block-start: 1rem; }
  `;

  render() {
    return html`
      <main class="signin">
        <div class="signin-card">
          <img src="/ui/logo.svg" width="40" height="40" alt="">
          <h1 tabindex="-1">Sign in to hotstate</h1>
          <p class="muted">This server asks for an access token.</p>
          <form @submit=${this.#submitted}>
            <label for="token">Access token</label>
            <div class="token">
              <input id="token" name="token" type=${this.shown ? 'text' : 'password'} autocomplete="current-password" autocapitalize="none" spellcheck="false" required
                aria-invalid=${this.error ? 'true' : 'false'} aria-describedby="signin-error" @input=${() => (this.error = null)}>
              <button type="button" class="icon" aria-pressed=${this.shown ? 'true' : 'false'} aria-label="Show the token" @click=${() => (this.shown = !this.shown)}><hs-icon name="eye"></hs-icon></button>
            </div>
            <p id="signin-error" role="alert">${this.error ?? nothing}</p>
            <button class="primary" ?disabled=${this.busy}>${this.busy ? 'Signing in…' : 'Sign in'}</button>
          </form>
          <p class="help">Whoever runs the server makes tokens with <code>hotstate token</code>.</p>
        </div>
        <hs-theme-switch></hs-theme-switch>
      </main>
    `;
  }

  firstUpdated() {
    this.renderRoot.querySelector('input').focus();
  }

  async #submitted(event) {
    event.preventDefault();
    const input = this.renderRoot.querySelector('input');
    this.busy = true;
    this.error = null;
    try {
      await api.post('/session', { token: input.value.trim() });
      location.reload();
    } catch (error) {
      this.busy = false;
      this.error = error.status === 401 ? 'This token is not known, or it was revoked.' : error.message;
      input.focus();
      input.select();
    }
  }
}

customElements.define('hs-signin', HsSignin);
