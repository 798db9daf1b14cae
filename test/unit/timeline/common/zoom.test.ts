import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  extend,
  isWhole,
  MIN_WINDOW,
  pan,
  placeOf,
  reveal,
  shareOf,
  wholeWindow,
  zoomAround,
  type ZoomWindow,
} from '../../../../src/timeline/common/zoom.ts';

const END = 600_000;
const places = fc.double({ min: 0, max: END, noNaN: true });
const factors = fc.double({ min: 0.01, max: 100, noNaN: true });

function assertInside({ from, to }: ZoomWindow): void {
  assert.ok(from >= 0 && to <= END + 1e-6, `${from} to ${to}`);
  assert.ok(to - from >= MIN_WINDOW - 1e-6);
}

describe('zoom', () => {
  it('keeps the position under the pointer', () => {
    const window = zoomAround(wholeWindow(END), 300_000, 4, END);
    assert.deepEqual(window, { from: 225_000, to: 375_000 });
    const again = zoomAround(window, 250_000, 2, END);
    assert.equal(shareOf(again, 250_000), shareOf(window, 250_000));
  });

  it('never leaves the recording', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(places, factors), { maxLength: 20 }), (steps) => {
        let window = wholeWindow(END);
        for (const [place, factor] of steps) {
          window = zoomAround(window, place, factor, END);
          assertInside(window);
          window = pan(window, factor - 1, END);
          assertInside(window);
          window = reveal(window, place, END);
          assertInside(window);
          assert.ok(place >= window.from - 1e-6 && place <= window.to + 1e-6);
        }
      }),
    );
  });

  it('converts positions in both directions', () => {
    const window = { from: 1000, to: 3000 };
    assert.equal(placeOf(window, shareOf(window, 1700)), 1700);
  });

  it('keeps showing all of a growing session, unless zoomed in', () => {
    assert.ok(isWhole(extend(wholeWindow(END), END, END + 5000), END + 5000));
    const part = { from: 1000, to: 2000 };
    assert.deepEqual(extend(part, END, END + 5000), part);
  });

  it('shows everything after zooming out as often as in', () => {
    const steps = fc.record({ end: fc.integer({ min: 1000, max: 1e8 }), count: fc.nat(9) });
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(steps, place, ({ end, count }, share) => {
        let window = wholeWindow(end);
        for (let step = 0; step < count; step++) window = zoomAround(window, share * end, 1.5, end);
        for (let step = 0; step < count; step++) {
          window = zoomAround(window, share * end, 1 / 1.5, end);
        }
        // At the smallest window, zooming in has no effect.
        assert.ok(isWhole(window, end), JSON.stringify(window));
      }),
    );
  });
});
