// <hs-chart label="Memory by family" .option=${option} height="260"></hs-chart>: an Apache ECharts chart.
// `option` is ECharts' own; colours, fonts and the tooltip follow the theme, so leave them out. `label` says what is
// shown and `summary` what it says ("agenda takes 62% of 3 MiB"): both are read aloud in place of the picture.
// `@pick` tells a clicked data point (`event.detail` is ECharts' event).
//
// The library is loaded when the first chart comes into view. The chart follows its own size and the theme, does not
// move where less motion is wanted, and lets go of its memory when it leaves the page. Tooltips are drawn on the canvas
// ("richText"): ECharts' HTML ones carry style attributes, which the content security policy refuses.

import { LitElement, css, html, nothing } from 'lit';
import { onThemeChange } from '../appearance.js';
import './hs-notice.js';

class HsChart extends LitElement {
  static properties = { label: {}, summary: {}, option: { attribute: false }, height: { type: Number }, failed: { state: true } };
  static styles = css`
    :host { display: block; position: relative; min-inline-size: 0; }
    .canvas { inline-size: 100%; block-size: 100%; }
  `;

  #chart = null;
  #seen = false;
  #watches = [];

  render() {
    return html`
      ${this.failed ? html`<hs-error .error=${this.failed} @retry=${this.#draw}></hs-error>` : nothing}
      <div class="canvas" role="img" aria-label=${[this.label, this.summary].filter(Boolean).join('. ')}></div>
    `;
  }

  connectedCallback() {
    super.connectedCallback();
    const size = new ResizeObserver(() => this.#chart?.resize());
    const view = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      this.#seen = true;
      view.disconnect();
      this.#draw();
    });
    size.observe(this);
    view.observe(this);
    this.#watches = [() => size.disconnect(), () => view.disconnect(), onThemeChange(() => this.#redraw())];
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#watches.forEach((stop) => stop());
    this.#dispose();
    this.#seen = false;
  }

  willUpdate() {
    this.style.blockSize = `${this.height || 260}px`;
  }

  updated(changed) {
    if (changed.has('height')) this.#chart?.resize();
    if (changed.has('option') && this.#seen) this.#draw();
  }

  #draw = async () => {
    try {
      const echarts = await import('echarts');
      await this.updateComplete;
      if (!this.isConnected || !this.option) return;
      this.failed = null;
      const first = this.#chart === null;
      const look = readLook(this);
      if (first) this.#begin(echarts, look);
      this.#chart.setOption(dressed(this.option, look), { notMerge: !first });
    } catch (error) {
      console.error(`The chart "${this.label}" could not be drawn`, error);
      this.failed = error;
    }
  };

  #begin(echarts, look) {
    this.#chart = echarts.init(this.renderRoot.querySelector('.canvas'), look.theme, { renderer: 'canvas' });
    this.#chart.on('click', (event) => this.dispatchEvent(new CustomEvent('pick', { detail: event })));
  }

  #redraw() {
    if (this.#chart === null) return;
    this.#dispose();
    this.#draw();
  }

  #dispose() {
    this.#chart?.dispose();
    this.#chart = null;
  }
}

function dressed(option, look) {
  return {
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 300,
    ...option,
    tooltip: option.tooltip && { ...look.tooltip, ...option.tooltip, renderMode: 'richText', confine: true },
  };
}

// ECharts draws on a canvas, where CSS variables mean nothing: their present values are read off an element.
function readLook(element) {
  const probe = element.renderRoot.appendChild(document.createElement('i'));
  const colour = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const ink = colour('ink');
  const faint = colour('ink-faint');
  const line = colour('line');
  const axis = {
    axisLine: { show: false, lineStyle: { color: line } },
    axisTick: { show: false },
    axisLabel: { color: faint, fontSize: 12 },
    splitLine: { lineStyle: { color: line } },
    nameTextStyle: { color: faint },
  };
  const theme = {
    color: [1, 2, 3, 4, 5, 6].map((i) => colour(`chart-${i}`)),
    backgroundColor: 'transparent',
    textStyle: { fontFamily: getComputedStyle(element).fontFamily, color: ink },
    legend: { textStyle: { color: faint }, inactiveColor: line, icon: 'roundRect', itemWidth: 10, itemHeight: 10 },
    categoryAxis: axis,
    valueAxis: axis,
    timeAxis: axis,
    logAxis: axis,
  };
  const tooltip = { backgroundColor: colour('raised'), borderColor: line, padding: [8, 12], textStyle: { color: ink, fontSize: 13 } };
  probe.remove();
  return { theme, tooltip };
}

customElements.define('hs-chart', HsChart);
