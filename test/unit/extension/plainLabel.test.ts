import assert from 'node:assert/strict';
import { plainLabel, threadLabel, withoutLinks } from '../../../src/extension/plainLabel.ts';

describe('text from recordings in labels and messages', () => {
  it('escapes icon syntax in a command', () => {
    assert.equal(plainLabel('echo $(date) $(sync~spin)'), 'echo \\$(date) \\$(sync~spin)');
    assert.equal(plainLabel('echo $(date +%s)'), 'echo $(date +%s)');
    assert.equal(plainLabel('a\u202eb\x1b]0;c\x07'), 'a b');
  });

  it('has nothing that VS Code would escape in the label of a comment thread', () => {
    assert.equal(threadLabel('a && b < c >> d'), 'a ＆＆ b ＜ c ＞＞ d');
  });

  it('breaks Markdown links in a message', () => {
    const text = withoutLinks('[Allow](command:workbench.action.quit) [b](https://a.example)');
    assert.doesNotMatch(text, /\[[^\]]+\]\(/);
    assert.match(text, /^\[Allow\] \(command:/);
  });
});
