import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processes, until } from '../../support/ah.ts';
import { runInPty } from '../../support/ptyRun.ts';
import { journeyWorld } from '../harness/journeyHooks.ts';
import { Workbench } from '../harness/workbench.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../..');
const demo = path.join(projectFolder, 'test/vscode/demo/demoMain.ts');
const ADDRESS = /http:\S+/;

describe('npm start', function () {
  this.timeout(300_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'ah-s-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** On a machine without a display, whose temporary files are in `folder`. */
  function environment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return { ...process.env, TMPDIR: folder, DISPLAY: '', WAYLAND_DISPLAY: '', ...extra };
  }

  async function seesTheAgent(address: string): Promise<void> {
    const context = await journeyWorld().browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    const workbench = new Workbench(page);
    await workbench.ready();
    await workbench.terminalShows('●', 60_000);
    await context.close();
  }

  async function leavesNothing(): Promise<void> {
    const leftOver = () => processes().filter((pid) => mentions(pid, folder));
    await until(() => leftOver().length === 0, 'every process to be gone');
    const files = readdirSync(folder).filter((name) => name.startsWith('ah-demo-'));
    assert.deepEqual(files, []);
  }

  it('shows a live session in an editor, and ends cleanly with Ctrl-C', async () => {
    const terminal = runInPty('npm', ['start'], { cwd: projectFolder, env: environment() });
    await terminal.waitFor(ADDRESS);
    await terminal.waitFor('Ctrl-C here ends');
    await seesTheAgent(terminal.output().toString().match(ADDRESS)![0]);
    terminal.pty.write('\u0003');
    const { exitCode } = await terminal.ended;
    assert.equal(exitCode, 0, terminal.output().toString());
    await leavesNothing();
  });

  it('ends by itself off a terminal, once the agent is done', async () => {
    const child = spawn(process.execPath, [demo], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(() => ADDRESS.test(output), 'the address', 60_000);
    await seesTheAgent(output.match(ADDRESS)![0]);
    assert.equal(await ended, 0);
    assert.match(output, /What was recorded:[^]*3 tests passed/);
    await leavesNothing();
  });

  it('takes the desktop’s VS Code where there is one', async () => {
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    // As the real one does: starts the editor, which says in a file who it is, and is gone.
    const editor = path.join(bin, 'editor');
    writeFileSync(
      editor,
      `#!/bin/bash
for option; do case $option in --user-data-dir=*) data=\${option#*=} ;; esac; done
echo "$@" > '${folder}/arguments'
echo $$ > "$data/code.lock"
exec sleep 300`,
      { mode: 0o755 },
    );
    const code = `#!/bin/bash\nsetsid '${editor}' "$@" &\n`;
    writeFileSync(path.join(bin, 'code'), code, { mode: 0o755 });
    const env = environment({ DISPLAY: ':0', PATH: `${bin}:${process.env['PATH']}` });
    const child = spawn(process.execPath, [demo], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(() => existsSync(path.join(folder, 'arguments')), 'the editor to start', 30_000);
    const given = readFileSync(path.join(folder, 'arguments'), 'utf8');
    assert.match(given, new RegExp(`--extensionDevelopmentPath=${projectFolder} .*/pool`));
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
    await leavesNothing();
  });
});

function mentions(pid: number, text: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text) ||
      readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${text}\0`)
    );
  } catch {
    return false; // It ended meanwhile.
  }
}
