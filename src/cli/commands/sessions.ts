import { Command } from 'commander';
import { stringifyExactJson } from '../../base/exactJson.ts';
import { Catalogue, type CataloguedSession } from '../../node/catalogue.ts';
import type { SessionMeta } from '../../node/sessionMeta.ts';
import {
  formatBytes,
  formatDuration,
  formatTable,
  formatTime,
  printable,
  secondsBetween,
} from '../formatting.ts';
import { reportInterrupted } from '../reportInterrupted.ts';

export function sessionsCommand(): Command {
  return new Command('sessions')
    .description('list all sessions, the newest first')
    .option('--json', 'for programs')
    .action(sessions);
}

async function sessions(options: { json?: boolean }): Promise<void> {
  await reportInterrupted();
  const found = await new Catalogue().list();
  if (options.json) {
    process.stdout.write(`${stringifyExactJson(found.map(asJson))}\n`);
    return;
  }
  if (found.length === 0) {
    process.stdout.write('No sessions yet. Make one: ah agent record -- COMMAND\n');
    return;
  }
  const header = ['ID', 'STATE', 'STARTED', 'LENGTH', 'OUTPUT', 'COMMAND'];
  process.stdout.write(`${formatTable([header, ...found.map(({ meta }) => asRow(meta))])}\n`);
}

function asRow(meta: SessionMeta): string[] {
  const endNs =
    meta.endedAtNs ?? (meta.state === 'running' ? BigInt(Date.now()) * 1_000_000n : undefined);
  return [
    meta.id,
    meta.state === 'finished' ? exitText(meta) : meta.state,
    formatTime(meta.startedAtNs),
    endNs === undefined ? '' : formatDuration(secondsBetween(meta.startedAtNs, endNs)),
    meta.totalBytes === undefined ? '' : formatBytes(meta.totalBytes),
    printable(meta.cmd.join(' ')),
  ];
}

function exitText(meta: SessionMeta): string {
  if (meta.signal) return `signal ${meta.signal}`;
  return meta.exitCode ? `exit ${meta.exitCode}` : 'done';
}

function asJson({ folder, meta }: CataloguedSession) {
  const { id, state, startedAtNs, endedAtNs, cmd, cwd, cols, rows, recording } = meta;
  const { exitCode, signal, totalBytes, hostSocket, ipcSocket } = meta;
  return {
    ...{ id, state, startedAtNs, endedAtNs, cmd, cwd, cols, rows, folder, recording },
    ...{ exitCode, signal, totalBytes, hostSocket, ipcSocket },
  };
}
