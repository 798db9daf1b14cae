import assert from 'node:assert/strict';
import {
  clip,
  render,
  styled,
  unknownStyle,
  visibleLength,
} from '../../../mockAgent/terminal/styles.ts';
import { wrapText } from '../../../mockAgent/terminal/wrapText.ts';
import { showControl } from '../../../mockAgent/terminal/showControl.ts';

describe('mock agent: markup', () => {
  it('turns styles into escape sequences', () => {
    assert.equal(render('{{bold green}}a{{/}}b'), '\x1b[1;32ma\x1b[0mb');
    assert.equal(render('{{gray on-bright-red}}'), '\x1b[90;101m');
    assert.equal(render('{{c200 on-#0a0bff}}'), '\x1b[38;5;200;48;2;10;11;255m');
  });

  it('does not change other braces', () => {
    assert.equal(render("style={{ width: '1px' }}"), "style={{ width: '1px' }}");
    assert.equal(styled('dim', '{{bold}}'), '\x1b[2m{{bold}}\x1b[0m');
  });

  it('finds styles that do not exist', () => {
    assert.equal(unknownStyle('{{bold}}{{c256}}'), 'c256');
    assert.equal(unknownStyle('{{on-cyan}}x{{/}}'), undefined);
  });

  it('measures and clips visible text', () => {
    assert.equal(visibleLength('{{red}}héé{{/}}!'), 4);
    assert.equal(clip('{{red}}abc{{/}}def', 4), '{{red}}abc{{/}}d');
    assert.equal(clip('{{red}}abc{{/}}def', 2), '{{red}}ab{{/}}');
  });

  it('wraps at spaces and keeps indents and empty lines', () => {
    assert.deepEqual(wrapText('one two three', 7), ['one two', 'three']);
    assert.deepEqual(wrapText('  - a bb\n\nc', 5), ['  - a', 'bb', '', 'c']);
    assert.deepEqual(wrapText('{{bold}}one{{/}} two', 7), ['{{bold}}one{{/}} two']);
    assert.deepEqual(wrapText('unbreakable', 4), ['unbreakable']);
  });

  it('makes control characters visible', () => {
    assert.equal(showControl('\x1b[A\r\x7f'), 'ESC[A^M^?');
  });
});
