import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeExec } from '../../../../../src/platform/node/processes/exec.ts';
import type { Exec } from '../../../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../../../src/snapshots/common/provider.ts';
import { filesInTree, openReal, take, userGit } from '../../../../support/git/gitWorkspace.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

/** Longer than a file system's clock tick: after this time, file times are trusted. */
const SETTLED_MS = 60;

describe('incremental git snapshots: rules outside the workspace', () => {
  const folder = useTemporaryFolder();
  const before = process.env['GIT_CONFIG_GLOBAL'];
  let top = '';
  let globalSettings = '';
  let provider: SnapshotProvider;
  const ran: string[] = [];

  const exec: Exec = (program, args, options) => {
    ran.push(args.join(' '));
    return nodeExec(program, args, options);
  };

  beforeEach(async () => {
    top = path.join(folder.path, 'top');
    globalSettings = path.join(folder.path, 'settings');
    // A link into a folder of settings, as many users have it.
    put('dotfiles/gitconfig', '');
    symlinkSync(path.join(folder.path, 'dotfiles/gitconfig'), globalSettings);
    process.env['GIT_CONFIG_GLOBAL'] = globalSettings;
    put('top/work/a.log', 'a');
    put('top/work/b.txt', 'b');
    await userGit(top, 'init', '-q');
  });
  afterEach(() => {
    provider.dispose();
    if (before === undefined) delete process.env['GIT_CONFIG_GLOBAL'];
    else process.env['GIT_CONFIG_GLOBAL'] = before;
  });

  function put(name: string, content: string): void {
    const file = path.join(folder.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  async function openIn(workspace: string): Promise<void> {
    const defaultSettings = [globalSettings];
    const storage = path.join(folder.path, 'storage');
    provider = await openReal(workspace, storage, { exec, defaultSettings });
    await sleep(SETTLED_MS);
    await take(provider);
  }

  /** The content and omissions of an incremental snapshot without reported changes. */
  async function told(): Promise<string> {
    const { ref, omissions } = await take(provider, []);
    const kept = [...(await filesInTree(await provider.open(ref))).keys()];
    await sleep(SETTLED_MS);
    return `${kept.join(' ')} - ${omissions.map(({ path: name }) => name).join(' ')}`;
  }

  it('are followed as they change, wherever they are', async () => {
    const work = path.join(top, 'work');
    await openIn(work);
    const [all, noLogs, noTexts] = ['a.log b.txt - ', 'b.txt - a.log', 'a.log - b.txt'];
    assert.equal(await told(), all);
    put('top/.git/info/exclude', '*.log\n');
    assert.equal(await told(), noLogs, 'info/exclude');
    put('top/.git/info/exclude', '');
    assert.equal(await told(), all, 'info/exclude is empty');
    put('top/.gitignore', '*.txt\n');
    assert.equal(await told(), noTexts, '.gitignore above');
    put('top/.gitignore', '');
    assert.equal(await told(), all, '.gitignore above is empty');
    put('mine', '*.log\n');
    await userGit(work, 'config', 'core.excludesFile', path.join(folder.path, 'mine'));
    assert.equal(await told(), noLogs, 'core.excludesFile');
    put('mine', '*.txt\n');
    assert.equal(await told(), noTexts, 'what core.excludesFile names');
    await userGit(work, 'config', '--add', 'ah.keepIgnored', 'b.txt');
    assert.equal(await told(), all, 'ah.keepIgnored');
    await userGit(work, 'config', '--unset-all', 'ah.keepIgnored');
    await userGit(work, 'config', '--unset', 'core.excludesFile');
    assert.equal(await told(), all, 'no setting');
    const setting = `[core]\n\texcludesFile = ${path.join(folder.path, 'mine')}\n`;
    put('dotfiles/gitconfig', setting);
    assert.equal(await told(), noTexts, 'a setting for all repositories, behind a link');
    put('dotfiles/gitconfig', '[include]\n\tpath = more\n');
    assert.equal(await told(), all, 'an included file that is not there');
    put('more', setting);
    assert.equal(await told(), noTexts, 'an included file, relative to the one that includes it');
    put('more', `[includeIf "onbranch:other"]\n\tpath = ${folder.path}/other\n`);
    put('other', setting);
    assert.equal(await told(), all, 'another branch');
    await userGit(work, 'symbolic-ref', 'HEAD', 'refs/heads/other');
    assert.equal(await told(), noTexts, 'that branch');
  });

  it('cost no scan while they are the same, and no git while their files are untouched', async () => {
    await openIn(top);
    await told();
    const runs = async (name: string) => {
      ran.length = 0;
      await told();
      return ran.filter((command) => command.includes(name)).length;
    };
    assert.equal(await runs(' config '), 0);
    await userGit(top, 'config', 'some.thing', 'else');
    assert.equal(await runs(' config '), 1);
    await userGit(top, 'config', 'some.thing', 'other');
    assert.equal(await runs('diff-files'), 0, 'other settings are no rules');
    put('top/.git/info/exclude', '*.log\n');
    assert.equal(await runs('diff-files'), 1);
  });
});
