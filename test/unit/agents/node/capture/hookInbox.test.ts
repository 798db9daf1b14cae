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

/** Runs the relay like an agent, with the payload as its input. */
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

  it('receives simultaneous hooks completely', async () => {
    const payload = JSON.stringify({ text: 'x'.repeat(300_000) });
    await Promise.all(Array.from({ length: 8 }, () => runRelay(inbox.relay('Stop'), payload)));
    await until(() => calls.length === 8, 'eight calls');
  });

  it('delays the agent until the event is handled, if asked to, and no longer than the limit', async () => {
    const dealt = deferred();
    onCall = (call) => {
      calls.push(call);
      return call.name === 'PostToolUse' ? dealt.promise : undefined;
    };
    let isOver = false;
    const hook = runRelay(inbox.relay('PostToolUse', 60_000), '{}').then(() => (isOver = true));
    await until(() => calls.length === 1, 'the call');
    await runRelay(inbox.relay('Stop'), '{}');
    assert.equal(isOver, false, 'a later hook has ended before it');
    dealt.resolve();
    await hook;
    const never = deferred();
    onCall = () => never.promise;
    const start = performance.now();
    await runRelay(inbox.relay('PostToolUse', 200), '{}');
    assert.ok(performance.now() - start < 5000, 'the recorder let it continue before it gave up');
    never.resolve();
  });

  it('receives the next hook while it handles one', async () => {
    const dealt = deferred();
    let isHandled = false;
    onCall = async (call) => {
      calls.push(call);
      if (call.name !== 'PostToolUse') return;
      await dealt.promise;
      isHandled = true;
    };
    const slow = runRelay(inbox.relay('PostToolUse', 8000), '{}');
    await until(() => calls.length === 1, 'the first');
    await runRelay(inbox.relay('Notification', 2000), '{}');
    assert.equal(calls[1]?.name, 'Notification');
    assert.equal(isHandled, false, 'the first hook is still being handled');
    dealt.resolve();
    await slow;
  });

  it('writes no payload to a file, and lets the hook continue without a receiver', async () => {
    inbox.dispose();
    // A `sleep` that the test ends: the relay gives up when it ends.
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

  it('ignores invalid payloads', async () => {
    await writeFile(path.join(inbox.folder, '1-Stop-0.done'), 'not a pipe');
    await writeFile(path.join(inbox.folder, 'other'), 'x');
    await runRelay(inbox.relay('Stop'), 'not json');
    await runRelay(inbox.relay('Stop'), '');
    await runRelay(inbox.relay('Stop'), '{}');
    await until(() => calls.length === 1, 'the good one', 3000);
  });
});
