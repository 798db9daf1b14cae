import assert from 'node:assert/strict';
import type { UnicodeVersion } from '../../../../src/base/unicodeVersion.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { goldenWidths, labelled } from '../../../support/terminal/goldenWidths.ts';
import { widthSequences } from '../../../support/terminal/widthSequences.ts';

const encoder = new TextEncoder();
const size = { cols: 80, rows: 24 };

describe('the width of characters', () => {
  const sequences = widthSequences();
  const golden = goldenWidths();

  it('is tested with 500 sequences, of which many differ between the versions', () => {
    assert.equal(sequences.length, 500);
    const differing = golden['6'].filter((width, index) => width !== golden['11'][index]);
    assert.ok(differing.length > 100, `${differing.length} differ`);
  });

  for (const version of ['6', '11'] as const) {
    it(`is that of VS Code’s terminal with the setting ${version}`, () => {
      const model = new TerminalModel({ size, unicodeVersion: version });
      const widths = sequences.map((sequence) => {
        model.write(encoder.encode(`\x1b[2J\x1b[H${sequence}`), 0);
        return model.cursor.column;
      });
      assert.deepEqual(labelled(sequences, widths), labelled(sequences, golden[version]));
    });

    it(`is kept by a stored state with the setting ${version}`, () => {
      for (const sequence of sequences) {
        const played = new TerminalModel({ size, unicodeVersion: version });
        played.write(encoder.encode(sequence), 1);
        const state = played.captureState();
        const restored = state ? TerminalModel.restore(state, { unicodeVersion: version }) : played;
        const follower = new TerminalModel({ size, unicodeVersion: version });
        follower.write(played.serializeState(), 1);
        for (const model of [played, restored, follower]) model.write(encoder.encode('|end'), 2);
        assert.equal(rowOf(restored), rowOf(played));
        assert.equal(rowOf(follower), rowOf(played));
      }
    });
  }

  it('is 11 unless stated otherwise, as in VS Code', () => {
    assert.equal(columnAfter('✅', undefined), 2);
    assert.equal(columnAfter('✅', '6'), 1);
  });
});

function columnAfter(text: string, unicodeVersion: UnicodeVersion | undefined): number {
  const model = new TerminalModel({ size, unicodeVersion });
  model.write(encoder.encode(text), 0);
  return model.cursor.column;
}

function rowOf(model: TerminalModel): string {
  const [row] = model.rows();
  return `${row!.text} @${model.cursor.column}`;
}
