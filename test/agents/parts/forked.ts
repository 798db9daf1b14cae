import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { continueAgent, type ContinueRequest } from '../../support/agents/continueAgent.ts';
import type { AgentLab } from '../agentLab.ts';
import { historyOf } from '../history.ts';
import type { Original } from '../useOriginal.ts';

const MESSAGE = '@@hello once more';

/** Codex's own forks refer to the file of their parent. */
export function forkedAgent(
  lab: { readonly current: AgentLab },
  original: { readonly current: Original },
): void {
  it('resumes its own fork when the files of fork and parent are gone', async () => {
    const { setup, provider, cwd, env, home } = lab.current;
    const parent = original.current.events.find(({ agentSession }) => agentSession)!.agentSession!;
    const [prompt = '', ...options] = setup.headless('@@hi there', provider.url).toReversed();
    const fork = [...options.toReversed(), 'fork', parent, prompt];
    const before = provider.scripted.length;
    const forked = await lab.current.record(fork);
    assert.equal(provider.scripted.length, before + 1, forked.screen);
    const known = historyOf(provider.scripted[before]!, [cwd, cwd]);
    assert.equal(known.length, 9, known.join('\n'));

    rmSync(path.join(home, '.codex/sessions'), { recursive: true });
    const last = forked.events.findLast(({ kind }) => kind === 'turn.completed')!;
    const request: ContinueRequest = {
      agent: setup.agent,
      sessionFolder: forked.session.folder,
      message: MESSAGE,
      env,
      home,
      meta: { cmd: [setup.program, ...setup.headless('x', provider.url)], cwd },
      moment: { byte: last.byte!, timeNs: last.timeNs + 1_000_000_000n },
      workspace: { from: cwd, to: cwd },
      signal: new AbortController().signal,
    };
    const continuation = await continueAgent(request);
    assert.equal(continuation.method, 'resume', continuation.warnings.join(' '));
    await lab.current.record(continuation.cmd);
    const told = historyOf(provider.scripted[before + 1]!, [cwd, cwd]);
    assert.deepEqual(told, [...known, 'model Hello from the script. ', `user ${MESSAGE}`]);
  });
}
