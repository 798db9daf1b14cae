import assert from 'node:assert/strict';
import { PausedOutput } from '../../../src/host/pausedOutput.ts';
import { TerminalModel } from '../../../src/terminal/screen/terminalModel.ts';

const SIZE = { cols: 40, rows: 5 };
const MINUTE_NS = 60_000_000_000n;

/** The terminal after output before, during and after a pause; it does not get what is in between. */
function resumed(before: string, during: readonly string[]): TerminalModel {
  const model = new TerminalModel({ size: SIZE, historyLines: 100 });
  const pause = new PausedOutput(0n);
  model.write(Buffer.from(before), before.length);
  for (const piece of during) pause.push(Buffer.from(piece));
  const stream = pause.resumeStream(2n * MINUTE_NS, SIZE);
  model.write(stream, before.length + stream.length);
  return model;
}
const textOf = (model: TerminalModel) => model.rows().map(({ text }) => text.trimEnd());

describe('the output of a pause', () => {
  it('leaves a blank screen and a line about the pause; earlier lines are in the scrollback', () => {
    const model = resumed('one\r\ntwo\x1b[2;3r\x1b[4h\x1b[31', ['secret']);
    assert.deepEqual(textOf(model), ['── not recorded for 2 min ──', '', '', '', '']);
    const state = Buffer.from(model.serializeState({ historyLines: 100 })).toString();
    assert.match(state, /one[^]*two[^]*not recorded/);
    assert.deepEqual(model.cursor, { row: 1, column: 0, isVisible: true });
  });

  it('switches to the screen that the program uses, even if it changed during the pause', () => {
    assert.equal(resumed('a', ['\x1b[?10', '49hsecret']).isAlternateScreen, true);
    assert.equal(
      resumed('\x1b[?1049h', ['\x1b[?1049h', '\x1b[?1049', 'l']).isAlternateScreen,
      false,
    );
    assert.equal(resumed('\x1b[?1049h', ['secret']).isAlternateScreen, true);
  });
});
