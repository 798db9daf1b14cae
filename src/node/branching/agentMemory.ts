import path from 'node:path';
import type { ContinuationMethod } from '../../agents/continuation.ts';
import type { ExactValue } from '../../base/exactJson.ts';
import type { MadeSession } from '../../branching/branchRecord.ts';
import type { SessionMeta } from '../sessions/sessionMeta.ts';
import { UndoableFiles } from '../agents/undoable.ts';
import { BRANCH_FOLDER, isOwnFolderFree } from './branchWorkspace.ts';
import type { MomentPlace } from './momentPlace.ts';
import { printedBefore } from './printedBefore.ts';

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
  /** Waited for before anything is made outside of the branch. */
  readonly willMake?: (made: MadeSession) => Promise<void>;
}

export interface PlannedMemory {
  readonly method: ContinuationMethod;
  /** Sentences. */
  readonly warnings: readonly string[];
}

/** How the agent goes on. */
export interface RestoredMemory extends PlannedMemory {
  /** The program and arguments that go on with the conversation and carry the message. */
  readonly cmd: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly details: ExactValue;
  /** Takes back what was written for it. */
  undo(): Promise<void>;
}

/** Brings an agent's memory of a session into a branch. */
export interface AgentMemory {
  /** Says how, and writes nothing. */
  plan(request: MemoryRequest): Promise<PlannedMemory>;
  /**
   * Reads all that it needs, and writes nothing; the branch's workspace need not be there yet.
   * @returns what restores it, when the workspace is there
   */
  prepare(request: MemoryRequest): Promise<() => Promise<RestoredMemory>>;
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
    const { method, warnings } = await planned(request);
    return { method, warnings };
  },
  prepare: async (request) => {
    const { printed, ...plan } = await planned(request);
    const cmd = request.meta.cmd.map((word) => movedWord(word, request.workspace));
    return async () => {
      if (printed === '' || !(await isOwnFolderFree(request.workspace.to)))
        return { ...plan, cmd, env: {}, details: {}, undo: async () => {} };
      const files = new UndoableFiles();
      const own = path.join(request.workspace.to, BRANCH_FOLDER);
      const file = path.join(own, 'restore', request.meta.id, 'printed.txt');
      await files.createIfMissing(path.join(own, '.gitignore'), '*\n');
      await files.create(file, `${printed}\n`);
      const [env, details] = [{ AH_BRANCH_REPLAY: file }, { printed: path.relative(own, file) }];
      return { ...plan, cmd, env, details, undo: () => files.undo() };
    };
  },
};

async function planned(request: MemoryRequest): Promise<PlannedMemory & { printed: string }> {
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

/** An argument that names the workspace, or something in it, names the branch's. */
function movedWord(word: string, { from, to }: { from: string; to: string }): string {
  if (word === from) return to;
  return word.startsWith(from + path.sep) ? to + word.slice(from.length) : word;
}
