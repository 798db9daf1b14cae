import path from 'node:path';
import type {
  ContinuationDetails,
  ContinuationMethod,
} from '../../../agents/common/continuation/continuation.ts';
import type { ExactValue } from '../../../base/exactJson.ts';
import type { CopiedAgentSession } from '../../common/branchRecord.ts';
import type { SessionMeta } from '../../../sessions/node/sessionMeta.ts';
import { movedWorkspace } from '../../../agents/node/continuation/movedWorkspace.ts';
import { UndoableFiles } from '../../../agents/node/continuation/undoableFiles.ts';
import {
  BRANCH_FOLDER,
  isBranchFolderWritable,
} from '../../../agents/node/continuation/ownFolder.ts';
import type { MomentPlace } from '../../common/momentRef.ts';
import { outputBefore } from '../plan/outputBefore.ts';
import { checkProgram } from '../plan/checkProgram.ts';

/** What is needed to restore an agent's memory in a branch. */
export interface MemoryRequest {
  /** ID of a known agent. */
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
  /** Whether the branch's workspace will contain a file at this path. */
  readonly willHave: (relative: string) => Promise<boolean>;
}

interface MemoryMethod {
  readonly method: ContinuationMethod;
  /** Each warning is a sentence. */
  readonly warnings: readonly string[];
}

/** The plan for restoring a memory: all sources were read, but nothing was written. */
export interface PlannedMemory extends MemoryMethod {
  /** The permissions and the model that the agent starts with, as far as they are known. */
  readonly mode?: Pick<ContinuationDetails, 'permissions' | 'permissionsBefore' | 'model'>;
  begin(signal: AbortSignal): BegunMemory;
}

/** How to start the agent with its memory. */
export interface RestoredMemory extends MemoryMethod {
  /** The program and its arguments, which resume the conversation and pass the message. */
  readonly cmd: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly details: ExactValue;
}

export interface BegunMemory {
  /**
   * What will be created outside of the branch; undefined for nothing. Call this before
   * `writeOutside`.
   */
  filesOutside(): Promise<CopiedAgentSession | undefined>;
  /** Writes files outside of the branch. The branch's workspace need not exist yet. */
  writeOutside(): Promise<void>;
  /** Writes files in the branch. Its workspace must exist. */
  restore(): Promise<RestoredMemory>;
  /** Removes everything written so far. No other call may be in progress. */
  undo(): Promise<void>;
}

/** Restores in a branch what an agent remembered of a session. */
export interface AgentMemory {
  /** The branch's workspace need not exist yet. */
  plan(request: MemoryRequest): Promise<PlannedMemory>;
}

const NO_MEMORY = 'AH does not know this program: it starts without memory.';
const NO_MESSAGE = 'The program does not get the message; AH_BRANCH_MESSAGE contains it.';
const CAPTURED = 'AH_BRANCH_REPLAY names a file with the output before the moment.';

/**
 * Starts the same command again, for programs that are not known agents. Environment variables
 * contain the message and the path of the captured output, because AH does not know how the program
 * takes input.
 */
export const relaunch: AgentMemory = {
  plan: async (request) => {
    const missing = await checkProgram(request);
    const { printed, ...how } = await planned(request);
    const { moved } = await movedWorkspace(request.workspace);
    const cmd = request.meta.cmd.map(moved);
    const begin = () => begun(request, { ...how, cmd }, printed);
    return { ...how, warnings: [...missing, ...how.warnings], begin };
  },
};

function begun(
  { workspace, meta }: MemoryRequest,
  how: Pick<RestoredMemory, 'method' | 'warnings' | 'cmd'>,
  printed: string,
): BegunMemory {
  const files = new UndoableFiles();
  return {
    filesOutside: () => Promise.resolve(undefined),
    writeOutside: async () => {},
    restore: async () => {
      if (printed === '' || !isBranchFolderWritable(workspace.to))
        return { ...how, env: {}, details: {} };
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
  // In-place branches get no file, so that the original folder stays free of AH's files.
  const isOwn = workspace.to !== workspace.from;
  const printed = isOwn ? await outputBefore(meta.recording, moment.byte) : '';
  return {
    method: 'replay',
    printed,
    warnings: [
      NO_MEMORY,
      ...(message === undefined ? [] : [NO_MESSAGE]),
      ...(printed === '' ? [] : [CAPTURED]),
    ],
  };
}
