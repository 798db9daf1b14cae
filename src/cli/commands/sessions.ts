import { Command } from 'commander';
import { byteText } from '../../base/byteText.ts';
import { redactSecrets, secretsIn } from '../../redaction/redact.ts';
import { endedStatus } from '../../agents/common/status/status.ts';
import { stringifyExactJson } from '../../base/exactJson.ts';
import { Catalogue, type CataloguedSession } from '../../sessions/node/catalogue.ts';
import { statusEvidence } from '../../agents/common/status/evidence.ts';
import { wallNs } from '../../platform/node/systemClock.ts';
import { readLiveSession } from '../../agents/node/capture/readLiveSession.ts';
import type { SessionMeta } from '../../sessions/node/sessionMeta.ts';
import { unfinishedScrubs } from '../../sessions/node/unfinishedScrubs.ts';
import {
  formatDuration,
  formatTable,
  formatTime,
  printable,
  secondsBetween,
} from '../formatting.ts';
import { reportInterrupted } from '../reportInterrupted.ts';
import { JSON_OUTPUT } from '../descriptions.ts';

export function sessionsCommand(): Command {
  return new Command('sessions')
    .description('List all sessions, newest first')
    .option('--json', JSON_OUTPUT)
    .action(sessions);
}

async function sessions(options: { json?: boolean }): Promise<void> {
  await reportInterrupted();
  const catalogue = new Catalogue();
  const found = await catalogue.list();
  const unfinished = unfinishedScrubs(catalogue);
  if (options.json) {
    process.stdout.write(
      `${stringifyExactJson(await Promise.all(found.map((each) => asJson(each, unfinished))))}\n`,
    );
    return;
  }
  if (found.length === 0) {
    process.stdout.write('No sessions yet. To record one: ah agent record -- COMMAND\n');
    return;
  }
  const rows = await Promise.all(found.map((each) => asRow(each, unfinished)));
  const header = ['ID', 'STATE', 'AGENT', 'STARTED', 'LENGTH', 'OUTPUT', 'COMMAND'];
  process.stdout.write(`${formatTable([header, ...rows])}\n`);
}

async function asRow(
  { folder, meta }: CataloguedSession,
  unfinished: ReadonlySet<string>,
): Promise<string[]> {
  const agent = meta.state === 'running' ? await agentOf(folder, meta) : undefined;
  const endNs =
    meta.endedAtNs ?? (meta.state === 'running' ? BigInt(Date.now()) * 1_000_000n : undefined);
  return [
    meta.id,
    unfinished.has(meta.id) ? 'scrub unfinished' : stateText(meta),
    agent ? agent.status.replace('_', ' ') : '',
    formatTime(meta.startedAtNs),
    endNs === undefined ? '' : formatDuration(secondsBetween(meta.startedAtNs, endNs)),
    meta.totalBytes === undefined ? '' : byteText(meta.totalBytes),
    printable(redactSecrets(meta.cmd.join(' '), secretsIn(process.env))),
  ];
}

function stateText(meta: SessionMeta): string {
  if (meta.state !== 'finished') return meta.state;
  if (meta.stoppedByUser === true) return 'stopped';
  if (meta.signal) return `signal ${meta.signal}`;
  return meta.exitCode ? `exit ${meta.exitCode}` : 'done';
}

/** @returns the agent's status; undefined when the program is not a known agent */
async function agentOf(folder: string, meta: SessionMeta) {
  const live = await readLiveSession(folder);
  if (!live) return undefined;
  const isRunning = meta.state === 'running';
  const view = isRunning ? live.status(wallNs()) : endedStatus(meta.endedAtNs);
  const { status, confidence, sinceNs, isPromptReady } = view;
  const evidence = redactSecrets(statusEvidence(view), secretsIn(process.env));
  const waitsForUser = status === 'waiting_approval' || isPromptReady;
  const { turnCount } = live;
  return { status, confidence, evidence, sinceNs, waitsForUser, turns: turnCount };
}

async function asJson({ folder, meta }: CataloguedSession, unfinished: ReadonlySet<string>) {
  const { id, state, startedAtNs, endedAtNs, cmd, cwd, cols, rows, recording } = meta;
  const { exitCode, signal, stoppedByUser, totalBytes, hostSocket, ipcSocket } = meta;
  return {
    id,
    state,
    startedAtNs,
    endedAtNs,
    cmd,
    cwd,
    cols,
    rows,
    folder,
    recording,
    exitCode,
    signal,
    stoppedByUser,
    totalBytes,
    hostSocket,
    ipcSocket,
    scrubUnfinished: unfinished.has(id) ? true : undefined,
    agent: await agentOf(folder, meta),
  };
}
