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

  it('says what it printed and how it ended', async () => {
    assert.deepEqual(await run('echo out; exit 3'), { exitCode: 3, said: 'out\n' });
    assert.deepEqual(await run('echo err >&2'), { exitCode: 0, said: 'err\n' });
    assert.deepEqual(await run('kill -9 $$'), { exitCode: undefined, said: '' });
    const { said } = await run('yes | head -c 1000000; echo end');
    assert.ok(said.length < 100_000 && said.endsWith('end\n'));
    await assert.rejects(
      runToEnd('/nowhere/at/all', [], { cwd: '/', env: {}, timeoutMs: LONG_MS }),
      /ENOENT/,
    );
  });

  it('has not ended before what it started has, also when it was killed itself', async () => {
    const { said } = await run('(sleep 0.3; echo late) & echo soon; kill -9 $$');
    assert.equal(said, 'soon\nlate\n');
  });

  it('is killed with all that it started when its time is over', async () => {
    const { exitCode, said } = await run('sleep 60 & echo $!; wait', 300);
    assert.equal(exitCode, undefined);
    const pid = Number(said);
    assert.ok(pid > 0);
    await until(() => !isProcess(pid), 'the end of what it started');
  });
});
