// <hs-theme-switch></hs-theme-switch>: one button that goes from the system's theme to light to dark and round again.

import { html } from 'lit';
import { chooseTheme, chosenTheme } from '../appearance.js';
import { LightElement } from './light.js';
import './hs-icon.js';

const NEXT = { system: 'light', light: 'dark', dark: 'system' };
const NAMES = { system: 'as the system', light: 'light', dark: 'dark' };
const ICONS = { system: 'system', light: 'sun', dark: 'moon' };

class HsThemeSwitch extends LightElement {
  render() {
    const theme = chosenTheme();
    const label = `Theme: ${NAMES[theme]}. Change to ${NAMES[NEXT[theme]]}`;
    return html`<button class="plain icon" data-theme-choice=${theme} aria-label=${label} title=${label} @click=${this.#change}><hs-icon name=${ICONS[theme]}></hs-icon></button>`;
  }

  #change() {
    chooseTheme(NEXT[chosenTheme()]);
    this.requestUpdate();
  }
}

customElements.define('hs-theme-switch', HsThemeSwitch);
