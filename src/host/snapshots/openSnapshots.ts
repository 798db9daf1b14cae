import path from 'node:path';
import { StatThread } from '../../platform/node/files/statThread.ts';
import { openSnapshotProvider } from '../../snapshots/node/open/openProviders.ts';
import { SnapshotsFile } from '../../snapshots/node/list/snapshotsFile.ts';
import { WorkspaceWatcher } from '../../snapshots/node/watch/workspaceWatcher.ts';
import type { SessionContext } from '../sessionContext.ts';
import { SessionSnapshots, type SnapshottedWorkspace } from './sessionSnapshots.ts';

/** Opens the session's list of snapshots and, for a workspace, its provider and its watcher. */
export async function openSnapshots(context: SessionContext): Promise<SessionSnapshots> {
  const { spec, clock, redaction } = context;
  return new SessionSnapshots({
    sessionId: spec.id,
    file: await SnapshotsFile.open(spec.folder),
    clock,
    workspace: openWorkspace(context),
    redactLabel: (label) => redaction.text(label),
  });
}

function openWorkspace({ spec, workerFolder }: SessionContext): SnapshottedWorkspace | undefined {
  const { workspace, folder, snapshotMinutes } = spec;
  if (workspace === undefined) return undefined;
  // The thread is never disposed of: it ends with the recorder.
  const { files } = new StatThread(path.join(workerFolder, 'statWorker.cjs'));
  return {
    everyMinutes: snapshotMinutes,
    provider: openSnapshotProvider(workspace, { files }),
    watcher: WorkspaceWatcher.start(workspace, path.join(folder, 'watch')),
  };
}
