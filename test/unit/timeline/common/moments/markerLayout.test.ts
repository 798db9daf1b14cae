import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  layoutMarkers,
  type MarkerInput,
} from '../../../../../src/timeline/common/moments/markerLayout.ts';
import { MOMENT_KINDS } from '../../../../../src/timeline/common/moments/moment.ts';

const moments = fc
  .array(fc.tuple(fc.constantFrom(...MOMENT_KINDS), fc.double({ min: 0, max: 800, noNaN: true })))
  .map((drafts) =>
    drafts
      .sort((a, b) => a[1] - b[1])
      .map(([kind, x], index): MarkerInput => ({ id: `m${index}`, kind, x })),
  );

describe('layoutMarkers', () => {
  it('merges a row of tool calls and shows the error among them', () => {
    const at = (id: string, kind: MarkerInput['kind'], x: number) => ({ id, kind, x });
    const markers = layoutMarkers(
      [at('a', 'tool', 10), at('b', 'tool', 12), at('c', 'error', 14), at('d', 'prompt', 60)],
      12,
    );
    assert.deepEqual(
      markers.map(({ kind, ids }) => [kind, ids]),
      [
        ['error', ['a', 'b', 'c']],
        ['prompt', ['d']],
      ],
    );
  });

  it('prefers an error to a kind with a higher weight', () => {
    const [marker] = layoutMarkers(
      [
        { id: 'a', kind: 'tool', x: 1, isError: true },
        { id: 'b', kind: 'snapshot', x: 2 },
      ],
      10,
    );
    assert.deepEqual([marker!.kind, marker!.isError], ['tool', true]);
  });

  it('keeps every moment, and a distance between marks', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 40 }), (inputs, distance) => {
        const markers = layoutMarkers(inputs, distance);
        assert.deepEqual(
          markers.flatMap(({ ids }) => ids).sort(),
          inputs.map(({ id }) => id).sort(),
        );
        for (let index = 1; index < markers.length; index++) {
          assert.ok(markers[index]!.x - markers[index - 1]!.x >= distance);
        }
        const numbers = markers.map(({ ids }) => ids.map((id) => Number(id.slice(1))));
        for (const ids of numbers)
          assert.deepEqual(
            ids,
            [...ids].sort((a, b) => a - b),
          );
      }),
    );
  });
});
