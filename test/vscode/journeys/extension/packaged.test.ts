import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AhSandbox, readRecording, outputOf, until } from '../../../support/ah.ts';
import { runInPty } from '../../../support/terminal/ptyRun.ts';
import { EditorServer } from '../../harness/editor/editorServer.ts';
import { ensureServer } from '../../harness/editor/installServer.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordCommand } from '../../harness/pages/journeySteps.ts';
import { Workbench } from '../../harness/pages/workbench.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../../..');

describe('the packaged extension', function () {
  this.timeout(300_000);
  let root: string;
  let server: EditorServer | undefined;
  const { name, version } = JSON.parse(
    readFileSync(path.join(projectFolder, 'package.json'), 'utf8'),
  ) as { name: string; version: string };
  const packageFor = (target: string) =>
    path.join(projectFolder, `${name}-${target}-${version}.vsix`);
  const vsix = packageFor(`${process.platform}-${process.arch}`);

  function pack(...targets: string[]): void {
    const args = ['scripts/tasks/package.mjs', ...targets];
    const result = spawnSync(process.execPath, args, { cwd: projectFolder, encoding: 'utf8' });
    assert.equal(result.status, 0, result.stdout + result.stderr);
  }

  before(() => {
    root = mkdtempSync(path.join(tmpdir(), 'ah-p-'));
    pack();
  });

  after(async () => {
    await server?.stop();
    await new AhSandbox(path.join(root, 'ah')).dispose();
    rmSync(root, { recursive: true, force: true });
  });

  it('contains the native modules of its target platform', () => {
    const target = process.platform === 'darwin' ? 'linux-x64' : 'darwin-arm64';
    pack(target);
    const names = readFileSync(packageFor(target), 'latin1');
    rmSync(packageFor(target));
    const modules = [`@parcel/watcher-${target}/watcher.node`, `node-pty/prebuilds/${target}/`];
    for (const part of modules) {
      assert.ok(names.includes(`extension/dist/node_modules/${part}`), part);
    }
    assert.ok(!names.includes(`${process.platform}-${process.arch}`), 'and no others');
  });

  async function openWindow() {
    const workspace = path.join(root, 'workspace');
    mkdirSync(workspace, { recursive: true });
    server ??= await EditorServer.start({
      serverFolder: ensureServer(),
      root,
      isDriven: false,
      extension: { vsix },
      env: { AH_DATA_DIR: path.join(root, 'ah') },
    });
    const context = await journeyWorld().browser.newContext();
    const page = await context.newPage();
    await page.goto(server.folderUrl(workspace));
    const workbench = new Workbench(page);
    await workbench.ready();
    return { server, context, workbench };
  }

  it('installs into a clean VS Code and records', async () => {
    const { context, workbench } = await openWindow();
    const extensions = path.join(root, 'extensions');
    const installed = readdirSync(extensions).find((entry) => entry.startsWith('ah-time-travel.'))!;
    assert.deepEqual(
      filesIn(path.join(extensions, installed, 'media')),
      filesIn(path.join(projectFolder, 'media')),
    );
    await recordCommand(workbench, 'echo packed and shipped');
    await workbench.terminalShows('Ended with exit code 0');
    await context.close();
    const { catalogue } = new AhSandbox(path.join(root, 'ah'));
    await until(async () => (await catalogue.list())[0]?.meta.state === 'finished', 'its end');
    const [session] = await catalogue.list();
    const { records } = await readRecording(session!.meta.recording);
    assert.equal(outputOf(records).toString(), 'packed and shipped\r\n');
  });

  it('leaves an agent running when uninstalled, and says how to attach to it', async () => {
    const { server, context, workbench } = await openWindow();
    await recordCommand(workbench, 'echo still here; exec cat');
    await workbench.terminalShows('still here');
    const { catalogue } = new AhSandbox(path.join(root, 'ah'));
    const isRunning = async () => (await catalogue.list())[0]?.meta.state === 'running';
    await until(isRunning, 'the session to be listed');
    await server.uninstall('ah-time-travel.ah-time-travel');
    const notice = workbench.notification('is still running');
    await notice.waitFor();
    const command = (await notice.innerText()).match(/AH_DATA_DIR=.* attach \S+/)![0];
    await context.close();
    assert.ok(await isRunning());

    const terminal = runInPty('/bin/sh', ['-c', command], { cwd: root });
    await terminal.waitFor('still here');
    terminal.pty.write('\u0004');
    assert.equal((await terminal.ended).exitCode, 0);
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}
