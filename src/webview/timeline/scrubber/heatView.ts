import { element } from '../element.ts';
import { scaledHeights } from './heatHeights.ts';

/** Width of a bucket; finer steps would not be visible. */
export const PIXELS_PER_BUCKET = 3;

/** Draws the amount of output over time. */
export class HeatView {
  readonly root = element('canvas', { class: 'heat', attributes: { 'aria-hidden': 'true' } });
  #counts: readonly number[] = [];

  show(counts: readonly number[]): void {
    this.#counts = counts;
    this.draw();
  }

  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    const ratio = devicePixelRatio;
    this.root.width = Math.round(width * ratio);
    this.root.height = Math.round(height * ratio);
    const context = this.root.getContext('2d');
    if (!context || this.#counts.length === 0) return;
    context.scale(ratio, ratio);
    const heights = scaledHeights(this.#counts, height - 2);
    const style = getComputedStyle(this.root);
    const step = width / heights.length;
    context.beginPath();
    context.moveTo(0, height);
    heights.forEach((each, index) => context.lineTo((index + 0.5) * step, height - each));
    context.lineTo(width, height);
    context.closePath();
    context.fillStyle = style.getPropertyValue('--heat-fill');
    context.fill();
    context.strokeStyle = style.getPropertyValue('--heat-line');
    context.lineWidth = 1;
    context.stroke();
  }
}
