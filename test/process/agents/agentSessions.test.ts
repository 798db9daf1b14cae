import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import { until } from '../../support/ah.ts';
import { useSandbox } from '../../support/useSandbox.ts';

/** A fake agent that calls its hooks, asks for approval, and ends when it is answered. */
const AGENT = `#!/bin/bash
relay="\${2%/*}/hooks/relay.sh"
tell() { printf '%s' "$2" | /bin/sh "$relay" "$1"; }
call='"session_id":"s","tool_use_id":"c1","tool_name":"Bash","tool_input":{"command":"TOKEN=hunter2hunter2 make"}'
tell UserPromptSubmit '{"session_id":"s","prompt":"Build it"}'
tell PreToolUse "{$call}"
tell PermissionRequest "{$call}"
echo asked
read -r answer
tell PostToolUse "{$call,\\"tool_response\\":\\"ok\\"}"
tell Stop '{"session_id":"s","last_assistant_message":"Built."}'
echo built
read -r answer
`;

interface Listed {
  readonly id: string;
  readonly agent?: {
    readonly status: string;
    readonly evidence: string;
    readonly waitsForUser: boolean;
    readonly turns: number;
  };
}

describe('ah agent sessions', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();

  async function listed(): Promise<Listed['agent']> {
    const { stdout, stderr } = await sandbox.current.run('agent', 'sessions', '--json');
    assert.equal(stderr, '');
    const [session] = JSON.parse(stdout.toString()) as Listed[];
    return session?.agent;
  }

  it('shows the status of an agent, its evidence, and whether it waits for the user', async () => {
    const program = path.join(sandbox.current.folder, 'bin/claude');
    mkdirSync(path.dirname(program));
    writeFileSync(program, AGENT, { mode: 0o755 });
    const session = await sandbox.current.launch([program], { agent: 'claudeCode' });
    const client = await RecorderClient.connect(session.hostSocket);
    await until(async () => (await listed())?.status === 'waiting_approval', 'the question');
    const asked = await listed();
    assert.equal(asked?.evidence, 'Waiting for approval: TOKEN=[redacted] make');
    assert.equal(asked.waitsForUser, true);
    const table = await sandbox.current.run('agent', 'sessions');
    assert.match(table.stdout.toString(), /AGENT.*\n.*running +waiting approval/);

    client.input(Buffer.from('y\n'));
    await until(async () => (await listed())?.status === 'waiting', 'the end of the turn');
    client.input(Buffer.from('\n'));
    await sandbox.current.settled();
    const ended = await listed();
    assert.equal(ended?.status, 'exited');
    assert.equal(ended.waitsForUser, false);
    assert.equal(ended.turns, 1);
    client.dispose();
  });

  it('shows no status for a program that is not an agent', async () => {
    await sandbox.current.launch(['/bin/true']);
    await sandbox.current.settled();
    assert.equal(await listed(), undefined);
  });
});
