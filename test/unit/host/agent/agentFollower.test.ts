import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { AgentFollower } from '../../../../src/host/agent/agentFollower.ts';
import { Redaction } from '../../../../src/host/redaction/redaction.ts';
import { SystemClock } from '../../../../src/platform/node/systemClock.ts';
import type { LaunchSpec } from '../../../../src/sessions/node/launchSpec.ts';
import { until } from '../../../support/ah.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the snapshots of an agent', function () {
  this.timeout(20_000);
  const folder = useTemporaryFolder();

  it('have labels without secrets, also where a label is cut', async () => {
    const env = { HOME: folder.path };
    const place = { folder: folder.path, cwd: folder.path };
    const spec = { ...place, agent: 'claudeCode', cmd: ['claude'], env } as unknown as LaunchSpec;
    const labels: string[] = [];
    const follower = (await AgentFollower.open(spec, {
      clock: new SystemClock(),
      redaction: new Redaction({ redacts: true, env }),
      byteOffset: () => 0,
      takeSnapshot: ({ label }) => Promise.resolve(labels.push(label)),
      reportBug: (error) => assert.fail(String(error)),
    }))!;
    const relay = path.join(folder.path, 'agent/hooks/relay.sh');
    const hook = spawn('/bin/sh', [relay, 'UserPromptSubmit', '1000'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const prompt = `${'x'.repeat(168)} https://user:hunter2-pass@host`;
    hook.stdin.end(JSON.stringify({ session_id: 's', prompt }));
    await until(() => labels.length === 1, 'the request');
    await follower.finish({ exitCode: 0, signal: 0 });
    assert.match(labels[0]!, /^Prompt: x+ https:\/\//);
    assert.doesNotMatch(labels[0]!, /hun/);
  });
});
