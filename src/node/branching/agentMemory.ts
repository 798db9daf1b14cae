import path from 'node:path';
import type { ContinuationMethod } from '../../agents/continuation.ts';
import type { ExactValue } from '../../base/exactJson.ts';
import type { MadeSession } from '../../branching/branchRecord.ts';
import type { SessionMeta } from '../sessions/sessionMeta.ts';
import type { MomentPlace } from './momentPlace.ts';

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

/** For programs that have no memory that we know of: the same command once more. */
export const relaunch: AgentMemory = {
  plan: ({ message }) =>
    Promise.resolve({
      method: 'replay',
      warnings: [NO_MEMORY, ...(message === undefined ? [] : [NO_WORDS])],
    }),
  prepare: async (request) => {
    const restored = {
      ...(await relaunch.plan(request)),
      cmd: request.meta.cmd.map((word) => movedWord(word, request.workspace)),
      ...{ env: {}, details: {}, undo: () => Promise.resolve() },
    };
    return () => Promise.resolve(restored);
  },
};

/** An argument that names the workspace, or something in it, names the branch's. */
function movedWord(word: string, { from, to }: { from: string; to: string }): string {
  if (word === from) return to;
  return word.startsWith(from + path.sep) ? to + word.slice(from.length) : word;
}
