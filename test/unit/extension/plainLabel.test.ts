import assert from 'node:assert/strict';
import { plainLabel, withoutLinks } from '../../../src/extension/plainLabel.ts';

describe('what came from a recording, in the editor’s own parts', () => {
  it('shows a command as it is, not as an icon', () => {
    assert.equal(plainLabel('echo $(date) $(sync~spin)'), 'echo \\$(date) \\$(sync~spin)');
    assert.equal(plainLabel('echo $(date +%s)'), 'echo $(date +%s)');
    assert.equal(plainLabel('a\u202eb\x1b]0;c\x07'), 'a b ]0;c');
  });

  it('holds nothing to follow in a message', () => {
    const text = withoutLinks('[Allow](command:workbench.action.quit) [b](https://a.example)');
    assert.doesNotMatch(text, /\[[^\]]+\]\(/);
    assert.match(text, /^\[Allow\] \(command:/);
  });
});
