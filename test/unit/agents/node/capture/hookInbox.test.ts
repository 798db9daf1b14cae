import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { HookCall } from '../../../../../src/agents/common/adapter.ts';
import { HookInbox } from '../../../../../src/agents/node/capture/hookInbox.ts';
import { until } from '../../../../support/ah.ts';
import { deferred } from '../../../../support/deferred.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const clock = { nowNs: () => BigInt(Date.now()) * 1_000_000n };

/** Runs the relay as an agent does, with the payload on its input. */
async function runRelay(
  command: readonly string[],
  payload: string,
  env = process.env,
): Promise<void> {
  const stdio = ['pipe', 'inherit', 'inherit'] as ['pipe', 'inherit', 'inherit'];
  const child = spawn(command[0]!, command.slice(1), { stdio, env });
  child.stdin.end(payload);
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0);
}

describe('HookInbox', () => {
  const folder = useTemporaryFolder();
  const calls: HookCall[] = [];
  let inbox: HookInbox;
  let onCall: (call: HookCall) => void | Promise<void>;

  beforeEach(async () => {
    calls.length = 0;
    onCall = (call) => void calls.push(call);
    const options = { clock, onCall: (call: HookCall) => onCall(call) };
    inbox = await HookInbox.open(path.join(folder.path, "in 'box"), options);
  });
  afterEach(() => inbox.dispose());

  it('passes payloads on, in order, and leaves nothing behind', async () => {
    for (let nth = 0; nth < 5; nth++) {
      await runRelay(inbox.relay('PreToolUse'), JSON.stringify({ nth, text: 'ä'.repeat(100_000) }));
    }
    await until(() => calls.length === 5, 'five calls', 3000);
    assert.deepEqual(
      calls.map(({ name, payload }) => [name, payload['nth']]),
      [0, 1, 2, 3, 4].map((nth) => ['PreToolUse', nth]),
    );
    await inbox.settle();
    assert.deepEqual(await readdir(inbox.folder), ['relay.sh']);
    assert.equal((await stat(inbox.folder)).mode & 0o777, 0o700);
  });

  it('takes hooks that come at the same time, each whole', async () => {
    const payload = JSON.stringify({ text: 'x'.repeat(300_000) });
    await Promise.all(Array.from({ length: 8 }, () => runRelay(inbox.relay('Stop'), payload)));
    await until(() => calls.length === 8, 'eight calls');
  });

  it('holds the agent up until the event is dealt with, where told to, and no longer than told', async () => {
    const dealt = deferred();
    onCall = (call) => {
      calls.push(call);
      return call.name === 'PostToolUse' ? dealt.promise : undefined;
    };
    let isOver = false;
    const hook = runRelay(inbox.relay('PostToolUse', 60_000), '{}').then(() => (isOver = true));
    await until(() => calls.length === 1, 'the call');
    await runRelay(inbox.relay('Stop'), '{}');
    assert.equal(isOver, false, 'a later hook has come to its end, and it has not');
    dealt.resolve();
    await hook;
    const never = deferred();
    onCall = () => never.promise;
    const start = performance.now();
    await runRelay(inbox.relay('PostToolUse', 200), '{}');
    assert.ok(performance.now() - start < 5000, 'it was let go on, and did not give up by itself');
    never.resolve();
  });

  it('hears the next hook while it is busy with one', async () => {
    const dealt = deferred();
    let isDealtWith = false;
    onCall = async (call) => {
      calls.push(call);
      if (call.name !== 'PostToolUse') return;
      await dealt.promise;
      isDealtWith = true;
    };
    const slow = runRelay(inbox.relay('PostToolUse', 8000), '{}');
    await until(() => calls.length === 1, 'the first');
    await runRelay(inbox.relay('Notification', 2000), '{}');
    assert.equal(calls[1]?.name, 'Notification');
    assert.equal(isDealtWith, false, 'the first is not over');
    dealt.resolve();
    await slow;
  });

  it('has what a hook got in no file, and lets the hook go on when nobody takes it', async () => {
    inbox.dispose();
    // A `sleep` that ends when told: the relay gives up when its own does.
    const [bin, asked, go] = ['bin', 'asked', 'go'].map((name) => path.join(folder.path, name));
    await mkdir(bin!);
    const script = `#!/bin/sh\necho "$*" > '${asked}'\nuntil [ -e '${go}' ]; do /bin/sleep 0.02; done\n`;
    await writeFile(path.join(bin!, 'sleep'), script, { mode: 0o755 });
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
    let isOver = false;
    const hook = runRelay(inbox.relay('Stop', 1000), '{"text":"planted-secret"}', env).then(
      () => (isOver = true),
    );
    await until(
      () => existsSync(asked!) && readdirSync(inbox.folder).some((name) => name.endsWith('.done')),
      'the call',
    );
    const files = await readdir(inbox.folder);
    for (const name of files) {
      assert.ok(name === 'relay.sh' || (await stat(path.join(inbox.folder, name))).isFIFO(), name);
    }
    assert.equal(files.length, 3, files.join(' '));
    assert.equal(isOver, false, 'it waits');
    writeFileSync(go!, '');
    await hook;
    assert.equal(readFileSync(asked!, 'utf8'), '8\n', 'seconds');
    assert.deepEqual(await readdir(inbox.folder), ['relay.sh']);
  });

  it('leaves no process behind', async () => {
    await runRelay(inbox.relay('Stop', 1000), '{}');
    const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    assert.ok(!running.includes(inbox.folder), running);
    assert.equal(calls.length, 1);
  });

  it('passes over what is no payload', async () => {
    await writeFile(path.join(inbox.folder, '1-Stop-0.done'), 'not a pipe');
    await writeFile(path.join(inbox.folder, 'other'), 'x');
    await runRelay(inbox.relay('Stop'), 'not json');
    await runRelay(inbox.relay('Stop'), '');
    await runRelay(inbox.relay('Stop'), '{}');
    await until(() => calls.length === 1, 'the good one', 3000);
  });
});
