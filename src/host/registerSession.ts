import os from 'node:os';
import type { ExactValue } from '../base/exactJson.ts';
import { DEFAULT_UNICODE_VERSION } from '../base/unicodeVersion.ts';
import { decodeProvenance } from '../branching/common/provenance.ts';
import { appendBranchStart } from '../branching/node/make/branchEvents.ts';
import { socketPath } from '../platform/node/paths.ts';
import { Catalogue } from '../sessions/node/catalogue.ts';
import type { TerminalSize } from '../base/terminalSize.ts';
import { machineName, writeSessionMeta, type SessionMeta } from '../sessions/node/sessionMeta.ts';
import { changeSessionNotes } from '../sessions/node/sessionNotes.ts';
import type { SessionContext } from './sessionContext.ts';
import { removeClaim } from './sessionFolderClaim.ts';

/** Writes the session's metadata and adds it to the catalogue, where other processes find it. */
export async function registerSession(
  { spec, clock, redaction }: SessionContext,
  size: TerminalSize,
  ipcSocket: string,
): Promise<SessionMeta> {
  const branchOf = decodeProvenance(redaction.value(spec.branchOf as unknown as ExactValue));
  const meta: SessionMeta = {
    version: 1,
    id: spec.id,
    state: 'running',
    startedAtNs: clock.nowNs(),
    cmd: redaction.command(spec.cmd),
    cwd: spec.cwd,
    ...(spec.workspace !== undefined && { workspace: spec.workspace }),
    ...size,
    unicodeVersion: spec.unicodeVersion ?? DEFAULT_UNICODE_VERSION,
    brotliQ: spec.brotliQ,
    host: { os: os.platform(), arch: machineName(os.arch()), pid: process.pid },
    recording: spec.recording,
    ...(spec.isExternal && { isExternal: true }),
    hostSocket: socketPath(spec.folder, 'host.sock'),
    ipcSocket,
    ...(redaction.isOn && { redacts: true }),
    ...(branchOf && { branchOf }),
  };
  if (spec.isCaptureOff) await changeSessionNotes(spec.folder, { isCaptureOff: true });
  await Promise.all([
    writeSessionMeta(spec.folder, meta),
    new Catalogue().add(spec.id, spec.folder),
  ]);
  await removeClaim(spec.folder);
  if (branchOf) appendBranchStart(spec.folder, spec.id, spec.agent, branchOf, meta.startedAtNs);
  return meta;
}
