import path from 'node:path';
import type { ContinuationMethod } from '../../../agents/common/continuation.ts';
import type { ExactValue } from '../../../base/exactJson.ts';
import type { CopiedAgentSession } from '../../common/branchRecord.ts';
import type { SessionMeta } from '../../../sessions/node/sessionMeta.ts';
import { movedWorkspace } from '../../../agents/node/continuation/movedWorkspace.ts';
import { UndoableFiles } from '../../../agents/node/continuation/undoable.ts';
import { BRANCH_FOLDER, isOwnFolderFree } from '../branchWorkspace.ts';
import type { MomentPlace } from '../plan/momentPlace.ts';
import { printedBefore } from '../plan/printedBefore.ts';
import { checkProgram } from '../plan/checkProgram.ts';

/** What bringing an agent's memory along needs to know. */
export interface MemoryRequest {
  /** Id of a known agent. */
  readonly agent: string | undefined;
  readonly sessionFolder: string;
  readonly meta: SessionMeta;
  readonly moment: MomentPlace;
  readonly workspace: {
    readonly from: string;
    readonly to: string;
    readonly isWorktree?: boolean;
  };
  readonly message: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly signal: AbortSignal;
  /** Whether the branch gets a file of that path in its workspace. */
  readonly willHave: (relative: string) => Promise<boolean>;
}

interface MemoryMethod {
  readonly method: ContinuationMethod;
  /** Sentences. */
  readonly warnings: readonly string[];
}

/** All is read that is needed, and nothing is written. */
export interface PlannedMemory extends MemoryMethod {
  begin(signal: AbortSignal): BegunMemory;
}

/** How the agent goes on. */
export interface RestoredMemory extends MemoryMethod {
  /** The program and arguments that go on with the conversation and carry the message. */
  readonly cmd: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly details: ExactValue;
}

export interface BegunMemory {
  /** What will be made outside of the branch; undefined for nothing. Asked for before it is. */
  foresee(): Promise<CopiedAgentSession | undefined>;
  /** Writes what is not in the branch, whose workspace need not be there yet: both can be made at the same time. */
  placeOutside(): Promise<void>;
  /** Writes the rest, when the workspace is there. */
  restore(): Promise<RestoredMemory>;
  /** Takes back what was written until now. Nobody may be at work on it. */
  undo(): Promise<void>;
}

/** Brings an agent's memory of a session into a branch. */
export interface AgentMemory {
  /** The branch's workspace need not be there yet. */
  plan(request: MemoryRequest): Promise<PlannedMemory>;
}

const NO_MEMORY = 'AH does not know this program: it starts anew, without its memory.';
const NO_WORDS = 'It is not told the message; AH_BRANCH_MESSAGE holds it.';
const CAPTURED = 'AH_BRANCH_REPLAY is a file with what was printed until then, to tell it again.';

/**
 * For programs that have no memory that we know of: the same command once more. What was captured of the session is put where
 * it, or whoever starts it, can take it from; nobody but them knows how it is told things.
 */
export const relaunch: AgentMemory = {
  plan: async (request) => {
    const trouble = await checkProgram(request);
    const { printed, ...how } = await planned(request);
    const { moved } = await movedWorkspace(request.workspace);
    const cmd = request.meta.cmd.map(moved);
    const begin = () => begun(request, { ...how, cmd }, printed);
    return { ...how, warnings: [...trouble, ...how.warnings], begin };
  },
};

function begun(
  { workspace, meta }: MemoryRequest,
  how: Pick<RestoredMemory, 'method' | 'warnings' | 'cmd'>,
  printed: string,
): BegunMemory {
  const files = new UndoableFiles();
  return {
    foresee: () => Promise.resolve(undefined),
    placeOutside: async () => {},
    restore: async () => {
      if (printed === '' || !isOwnFolderFree(workspace.to)) return { ...how, env: {}, details: {} };
      const own = path.join(workspace.to, BRANCH_FOLDER);
      const file = path.join(own, 'restore', meta.id, 'printed.txt');
      await Promise.all([
        files.createIfMissing(path.join(own, '.gitignore'), '*\n'),
        files.create(file, `${printed}\n`),
      ]);
      return {
        ...how,
        env: { AH_BRANCH_REPLAY: file },
        details: { printed: path.relative(own, file) },
      };
    },
    undo: () => files.undo(),
  };
}

async function planned(request: MemoryRequest): Promise<MemoryMethod & { printed: string }> {
  const { meta, moment, message, workspace } = request;
  // Nothing of ours is put into the original.
  const isOwn = workspace.to !== workspace.from;
  const printed = isOwn ? await printedBefore(meta.recording, moment.byte) : '';
  return {
    ...{ method: 'replay', printed },
    warnings: [
      NO_MEMORY,
      ...(message === undefined ? [] : [NO_WORDS]),
      ...(printed === '' ? [] : [CAPTURED]),
    ],
  };
}
