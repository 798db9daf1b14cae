import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../support/ah.ts';
import { ADDRESS, useDemo } from '../harness/useDemo.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../..');
const demoMain = path.join(projectFolder, 'test/vscode/demo/demoMain.ts');

describe('npm start', function () {
  this.timeout(300_000);
  const demo = useDemo();

  it('ends with the agent when not on a terminal', async () => {
    const child = spawn(process.execPath, [demoMain], {
      env: demo.environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(() => ADDRESS.test(output), 'the address', 60_000);
    await demo.seesTheAgent(output.match(ADDRESS)![0]);
    assert.equal(await ended, 0);
    assert.match(output, /What was recorded:[^]*3 tests passed/);
    await demo.leavesNothing();
  });

  it('uses the desktop’s VS Code if it is installed', async () => {
    const bin = path.join(demo.folder, 'bin');
    mkdirSync(bin);
    // Like the real `code`: starts VS Code, which writes its PID to a file, and exits.
    const editor = path.join(bin, 'editor');
    writeFileSync(
      editor,
      `#!/bin/bash
for option; do case $option in --user-data-dir=*) data=\${option#*=} ;; esac; done
echo "$@" > '${demo.folder}/arguments'
echo $$ > "$data/code.lock"
exec sleep 300`,
      { mode: 0o755 },
    );
    const code = `#!/bin/bash\nsetsid '${editor}' "$@" &\n`;
    writeFileSync(path.join(bin, 'code'), code, { mode: 0o755 });
    const env = demo.environment({ DISPLAY: ':0', PATH: `${bin}:${process.env['PATH']}` });
    const child = spawn(process.execPath, [demoMain], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await until(
      () => existsSync(path.join(demo.folder, 'arguments')),
      'the editor to start',
      30_000,
    );
    const given = readFileSync(path.join(demo.folder, 'arguments'), 'utf8');
    assert.match(given, new RegExp(`--extensionDevelopmentPath=${projectFolder} .*/pool`));
    child.kill('SIGTERM');
    assert.equal(await ended, 0);
    await demo.leavesNothing();
  });
});
