import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { complaintAbout, refusedUiTexts } from '../../../../scripts/lint/uiTexts.mjs';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the lint of UI texts', () => {
  const folder = useTemporaryFolder();

  it('refuses sentences that readers have to decode', () => {
    for (const text of [
      'Which session shall end?',
      '1 of them will be deleted, for it was not there.',
      'Whoever scrolled up is taken back.',
      'Nobody has reviewed these hooks.',
      'It is pinned until you let it go.',
      'Hooks, die niemand geprüft hat.',
    ]) {
      assert.notEqual(complaintAbout(text), undefined, text);
    }
  });

  it('accepts plain sentences', () => {
    for (const text of [
      'Select a session to stop',
      '1 file will be deleted: it did not exist at that moment.',
      'Minutes between snapshots; 0 disables them. Applies to new sessions.',
      'Search for it in the terminal output.',
    ]) {
      assert.equal(complaintAbout(text), undefined, text);
    }
  });

  it('reads translations and strings of the source, not comments', () => {
    const put = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(folder.path, file)), { recursive: true });
      writeFileSync(path.join(folder.path, file), text);
    };
    put('package.nls.json', '{ "a": "What shall run?" }');
    put('l10n/bundle.l10n.json', '{ "b": "Select an agent" }');
    put('src/cli/ask.ts', "// Nobody reads this.\nask('Who shall run?', `${name} shall run`);\n");
    assert.deepEqual(
      refusedUiTexts(folder.path).map((sentence) => sentence.replace(/: .*/, '')),
      ['package.nls.json', 'src/cli/ask.ts:2', 'src/cli/ask.ts:2'],
    );
  });
});
