import assert from 'node:assert/strict';
import { STYLE, styledRuns, TRUE_COLOR } from '../../../../src/timeline/common/styledRuns.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';

/** Runs of the first row after some output, as `text foreground background style`. */
function runsOf(output: string) {
  const model = new TerminalModel({ size: { cols: 60, rows: 3 } });
  const bytes = Buffer.from(output);
  model.write(bytes, bytes.length);
  const runs = styledRuns(model.rows()[0]!.styled);
  model.dispose();
  return runs.map(({ text, foreground, background, style }) => [
    text,
    foreground,
    background,
    style,
  ]);
}

describe('styledRuns', () => {
  it('returns one run for plain text', () => {
    assert.deepEqual(runsOf('plain <b>&amp;'), [['plain <b>&amp;', -1, -1, 0]]);
    assert.deepEqual(runsOf(''), []);
  });

  it('parses the sixteen colours, the palette and RGB colours of text and background', () => {
    assert.deepEqual(runsOf('\x1b[31mr\x1b[97;44mw\x1b[38;5;200;48;5;17mp\x1b[0mx'), [
      ['r', 1, -1, 0],
      ['w', 15, 4, 0],
      ['p', 200, 17, 0],
      ['x', -1, -1, 0],
    ]);
    assert.deepEqual(runsOf('\x1b[38;2;1;2;3;48;2;255;254;253mt'), [
      ['t', TRUE_COLOR + 0x010203, TRUE_COLOR + 0xfffefd, 0],
    ]);
  });

  it('parses every attribute, alone and together', () => {
    const codes = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 5: 'blink' } as const;
    const more = { 7: 'inverse', 8: 'hidden', 9: 'strike', 53: 'overline' } as const;
    for (const [code, name] of Object.entries({ ...codes, ...more })) {
      assert.deepEqual(runsOf(`\x1b[${code}ma`), [['a', -1, -1, STYLE[name]]], name);
    }
    assert.deepEqual(runsOf('\x1b[1;3;4:3;58:2::9:9:9;31ma'), [
      ['a', 1, -1, STYLE.bold | STYLE.italic | STYLE.underline],
    ]);
  });

  it('keeps the text of links, without the address', () => {
    const runs = runsOf('\x1b]8;id=x;javascript:alert(1)\x1b\\click\x1b]8;;\x1b\\ on');
    assert.equal(runs.map(([text]) => text).join(''), 'click on');
  });
});
