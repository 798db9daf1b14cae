import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { carriedTrust } from '../../../../../src/agents/node/continuation/folderTrust.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

describe('the trust of Codex in the folder of a branch', () => {
  const folder = useTemporaryFolder();
  const place = () => ({ env: {}, home: folder.path, cwd: '/w/app.branches/second' });

  beforeEach(() => {
    mkdirSync(path.join(folder.path, '.codex'));
    const trust = '[projects."/w/app"]\ntrust_level = "trusted"\n';
    writeFileSync(path.join(folder.path, '.codex/config.toml'), trust);
  });

  it('comes from the main repository for a branch of a branch', async () => {
    const from = path.join(folder.path, 'first');
    mkdirSync(from);
    writeFileSync(path.join(from, '.git'), 'gitdir: /w/app/.git/worktrees/first\n');
    const trust = await carriedTrust('codex', { from, isWorktree: true }, place());
    assert.deepEqual(trust, { options: [], env: {}, warnings: [] });
  });

  it('is asked for if no folder is trusted', async () => {
    const from = path.join(folder.path, 'first');
    const trust = await carriedTrust('codex', { from, isWorktree: true }, place());
    assert.match(trust.warnings.join(), /^Codex asks whether you trust the new folder/);
  });
});
