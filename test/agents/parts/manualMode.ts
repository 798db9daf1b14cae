import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CataloguedSession } from '../../../src/sessions/node/catalogue.ts';
import { readEvents } from '../../../src/sessions/node/eventsFile.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import type { SessionMeta } from '../../../src/sessions/node/sessionMeta.ts';
import { collect, until } from '../../support/ah.ts';
import type { AgentLab } from '../agentLab.ts';
import { ShownAgent } from '../shownAgent.ts';

const OPTION = ['--permission-mode', 'default'];
const SETTINGS = '.claude/settings.json';
const ASKS_MS = 60_000;

/** Where the original's mode comes from. The settings at the time of the branch allow edits. */
const STARTS = [
  { how: 'an option', args: OPTION, defaultMode: 'acceptEdits' },
  { how: 'the settings of then', args: [], defaultMode: 'default' },
] as const;

/** Claude Code only: a branch asks as its original did, whatever the settings say. */
export function manualMode(lab: { readonly current: AgentLab }): void {
  after(() => rmSync(path.join(lab.current.home, SETTINGS), { force: true }));

  for (const [index, { how, args, defaultMode }] of STARTS.entries()) {
    it(`stays in the manual mode of ${how} when a session is branched`, async () => {
      setDefaultMode(lab.current, defaultMode);
      const original = await recordManual(lab.current, args);
      setDefaultMode(lab.current, 'acceptEdits');
      const name = `manual-${index}`;
      const branch = ['branch', '--session', original, '--at', 'now', '--name', name];
      const planned = await lab.current.ah(...branch, '--message', '@@ask please', '--dry-run');
      assert.match(planned.stderr, /^agent +permissions: manual; model: /m, planned.stderr);
      // This command ends together with the branch's session.
      const ended = collect(lab.current.startAh(...branch, '--message', '@@ask please'));
      const child = await asking(lab.current, original);
      await stop(child.meta);
      const { stderr } = await ended;
      await lab.current.settled();

      const { cmd, cwd } = child.meta;
      const at = cmd.indexOf(OPTION[0]!);
      assert.deepEqual(cmd.slice(at, at + 2), OPTION, cmd.join(' '));
      assert.equal(cmd.lastIndexOf(OPTION[0]!), at, 'once');
      assert.ok(cwd.endsWith(name), stderr);
      assert.ok(!existsSync(path.join(cwd, 'asked.txt')), 'it did not run the command');
    });
  }
}

/**
 * Waits until the branch of a session asks before it runs a command. With `acceptEdits`, the agent
 * would run this one without a question.
 */
async function asking({ catalogue }: AgentLab, parent: string): Promise<CataloguedSession> {
  let found: CataloguedSession | undefined;
  const asks = async (): Promise<boolean> => {
    const sessions = await catalogue.list();
    found = sessions.find(({ meta }) => meta.branchOf?.fromSessionId === parent);
    const events = found ? await readEvents(found.folder) : [];
    return events.some(({ kind }) => kind === 'approval.requested');
  };
  await until(asks, 'the question of the branch', ASKS_MS);
  return found!;
}

/** Records a session with one answer. @returns its ID */
async function recordManual(lab: AgentLab, args: readonly string[]): Promise<string> {
  const agent = await ShownAgent.start(lab, args);
  try {
    await agent.untilScreen(lab.setup.ready);
    await sleep(lab.setup.settleMs);
    await agent.say('@@hi there');
    await agent.untilEvent(({ kind }) => kind === 'assistant.message', 'the answer');
    await agent.untilStatus('waiting');
    return agent.session.id;
  } finally {
    await agent.dispose();
  }
}

function setDefaultMode({ home }: AgentLab, defaultMode: string): void {
  writeFileSync(path.join(home, SETTINGS), JSON.stringify({ permissions: { defaultMode } }));
}

async function stop({ hostSocket }: SessionMeta): Promise<void> {
  const client = await RecorderClient.connect(hostSocket);
  try {
    await client.stop();
  } finally {
    client.dispose();
  }
}
