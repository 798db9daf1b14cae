import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentEvent, AgentStatus } from '../../../src/agents/common/events/events.ts';
import type { AgentLab } from '../agentLab.ts';
import type { AgentSetup } from '../agentSetup.ts';
import { ShownAgent } from '../shownAgent.ts';

/** Longer than any agent pauses on its own. */
const SILENCE_MS = 10_000;
/** The longest delay from the evidence to the shown status. */
const SHOWN_MS = 500;
const ESCAPE = '\x1b';

/** The status of a real agent throughout a session. */
export function statesOfAgent(setup: AgentSetup, lab: { readonly current: AgentLab }): void {
  // Codex runs hooks only if the user allows unreviewed ones; otherwise its title must suffice.
  for (const allowsUnreviewedHooks of setup.agent === 'codex' ? [true, false] : [false]) {
    const how = allowsUnreviewedHooks ? ' with unreviewed hooks' : '';
    it(`has the right status${how}: prompt, question, yes, no, a failing provider, silence, Esc, crash`, async () => {
      const { cwd, provider } = lab.current;
      setup.prepare({ home: lab.current.home, cwd, hooks: () => 'true' });
      const args = setup.interactive(provider.url);
      const agent = await ShownAgent.start(lab.current, args, { allowsUnreviewedHooks });
      try {
        await agent.untilScreen(setup.ready);
        await sleep(setup.settleMs);
        assert.ok(!['running', 'waiting_approval'].includes(String(agent.status)));
        const tellsQuestions = setup.tellsQuestions || allowsUnreviewedHooks;
        await asksAndHears(agent, path.join(cwd, 'asked.txt'), setup, tellsQuestions);
        // The provider's faults happen once.
        if (!allowsUnreviewedHooks) await outlivesItsProvider(agent, lab.current);
        await isStopped(agent, setup);
        await crashes(agent, setup);
        isShownInTime(agent);
      } catch (error) {
        console.log(agent.events.map(({ kind, source }) => `${kind} (${source})`).join('\n'));
        console.log(agent.shown.map(({ status, lateMs }) => `${status} ${lateMs}`).join(', '));
        console.log(provider.scripted.map(({ turn, fault }) => `${turn} ${fault}`).join(', '));
        console.log(agent.screenText.slice(-2000));
        throw error;
      } finally {
        await agent.dispose();
      }
    });
  }
}

async function asksAndHears(
  agent: ShownAgent,
  asked: string,
  { allow, deny }: AgentSetup,
  tellsQuestions: boolean,
): Promise<void> {
  rmSync(asked, { force: true });
  await agent.say('@@ask please');
  await agent.untilAsks();
  assert.ok(!existsSync(asked));
  agent.type(allow);
  await agent.untilStatus('waiting');
  assert.ok(existsSync(asked));

  await agent.say('@@ask once more');
  await agent.untilAsks();
  agent.type(deny);
  await agent.untilStatus('waiting');

  assert.deepEqual(textsOf(agent, 'user.prompt'), ['@@ask please', '@@ask once more']);
  if (!tellsQuestions) return;
  const requests = agent.events.filter((event) => event.kind === 'approval.requested');
  assert.equal(requests.length, 2);
  for (const { input } of requests) assert.match(JSON.stringify(input), /touch asked\.txt/);
  // An agent may stop only after it has recorded the denial.
  const isDenial = (event: AgentEvent): boolean =>
    event.kind === 'approval.resolved' && event.decision === 'denied';
  await agent.untilEvent(isDenial, 'the answer no');
  const answers = agent.events.filter((event) => event.kind === 'approval.resolved');
  assert.deepEqual(
    answers.map(({ decision }) => decision),
    ['allowed', 'denied'],
  );
}

/** After the answer breaks off, the agent retries or fails. */
async function outlivesItsProvider(
  agent: ShownAgent,
  { provider, setup }: AgentLab,
): Promise<void> {
  const faultsOf = (prompt: string): unknown[] =>
    provider.scripted.filter(({ turn }) => turn === prompt).map(({ fault }) => fault);
  await agent.say('@@limit');
  await agent.untilEvent(isAnswer('After the limit.'), 'the answer after the limit');
  await agent.untilStatus('waiting');
  assert.deepEqual(faultsOf('@@limit'), ['status', undefined]);

  await agent.say('@@drop');
  if (setup.resumesStreams) {
    await agent.untilEvent(isAnswer('After the broken line.'), 'the answer after the broken line');
    assert.deepEqual(faultsOf('@@drop'), ['hangUp', undefined]);
  }
  await agent.untilStatus('waiting');
  const wanted = ['After the limit.', ...(setup.resumesStreams ? ['After the broken line.'] : [])];
  const said = textsOf(agent, 'assistant.message').filter((text) => text.startsWith('After'));
  assert.deepEqual(said, wanted);
}

async function startsLongWork(agent: ShownAgent, setup: AgentSetup, prompt: string): Promise<void> {
  await agent.say(prompt);
  await agent.untilAsks();
  agent.type(setup.allow);
  await agent.untilStatus('running');
}

async function isStopped(agent: ShownAgent, setup: AgentSetup): Promise<void> {
  await startsLongWork(agent, setup, '@@sleep now');
  await agent.staysFor(SILENCE_MS, 'running');
  agent.type(ESCAPE);
  // Some agents need Esc twice.
  await sleep(500);
  if (agent.status === 'running') agent.type(ESCAPE);
  await agent.untilStatus('waiting');
  // A key right after Esc forms another key, so the first letter would be lost.
  await sleep(500);

  await agent.say('@@hi again');
  await agent.untilEvent(isAnswer('Hello from the script.'), 'the answer');
  await agent.untilStatus('waiting');
}

/** Kills the agent in the middle of a tool call. */
async function crashes(agent: ShownAgent, setup: AgentSetup): Promise<void> {
  await startsLongWork(agent, setup, '@@sleep again');
  agent.crash();
  await agent.untilStatus('exited');
  const end = agent.events.at(-1);
  assert.ok(end?.kind === 'session.exited' && end.source === 'host');
  assert.equal(end.reason, 'signal 9');
}

function isShownInTime({ shown }: ShownAgent): void {
  const wanted: AgentStatus[] = ['running', 'waiting_approval', 'waiting', 'exited'];
  for (const status of wanted) {
    assert.ok(
      shown.some((each) => each.status === status),
      status,
    );
  }
  const times = shown.flatMap(({ lateMs }) => lateMs ?? []).toSorted((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))]!;
  const figures = `${times.length} changes shown after ${at(0.5)} ms (median), ${at(1)} ms (worst)`;
  if (process.env['AH_PRINT_FIGURES']) console.log(figures);
  assert.ok(times.length > 10 && at(1) <= SHOWN_MS, figures);
}

function isAnswer(text: string): (event: AgentEvent) => boolean {
  return (event) => event.kind === 'assistant.message' && event.text.includes(text);
}

function textsOf(agent: ShownAgent, kind: 'user.prompt' | 'assistant.message'): string[] {
  return agent.events.flatMap((event) => (event.kind === kind ? [event.text] : []));
}
