import assert from 'node:assert/strict';
import { isProcess } from '../../../../../src/platform/node/processes/processes.ts';
import { runToEnd } from '../../../../../src/platform/node/processes/runToEnd.ts';
import { until } from '../../../../support/ah.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const LONG_MS = 30_000;

describe('a program that is run to its end', () => {
  const folder = useTemporaryFolder();
  const run = (script: string, timeoutMs = LONG_MS) => {
    const options = { cwd: folder.path, env: process.env, timeoutMs };
    return runToEnd('/bin/sh', ['-c', script], options);
  };

  it('returns its output and exit code', async () => {
    assert.deepEqual(await run('echo out; exit 3'), { exitCode: 3, output: 'out\n' });
    assert.deepEqual(await run('echo err >&2'), { exitCode: 0, output: 'err\n' });
    assert.deepEqual(await run('kill -9 $$'), { exitCode: undefined, output: '' });
    const { output } = await run('yes | head -c 1000000; echo end');
    assert.ok(output.length < 100_000 && output.endsWith('end\n'));
    await assert.rejects(
      runToEnd('/nowhere/at/all', [], { cwd: '/', env: {}, timeoutMs: LONG_MS }),
      /ENOENT/,
    );
  });

  it('ends with the last process that it started, also when it was killed', async () => {
    const { output } = await run('(sleep 0.3; echo late) & echo soon; kill -9 $$');
    assert.equal(output, 'soon\nlate\n');
  });

  it('is killed with all processes that it started after the timeout', async () => {
    const { exitCode, output } = await run('sleep 60 & echo $!; wait', 300);
    assert.equal(exitCode, undefined);
    const pid = Number(output);
    assert.ok(pid > 0);
    await until(() => !isProcess(pid), 'the end of what it started');
  });
});
