import type { CommandLine } from './commandLine.ts';
import type { AgentEvent, AgentStatus } from './events.ts';
import type { TrimmedSession, TrimRequest } from '../trim/trim.ts';
import type { Fields } from './untrusted.ts';

/** Where a program runs, as far as it decides where an agent keeps its files. */
export interface AgentPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Symbolic links resolved. */
  readonly cwd: string;
}

/** Where an agent keeps the record of a session. */
export type TranscriptPlace =
  | {
      readonly kind: 'files';
      /** The folder under which the files are. */
      readonly folder: string;
      /** How deep below it, 0 for the folder itself. */
      readonly depth: number;
      /** The path below the folder of a session's file, with `/` between its parts. */
      readonly pattern: RegExp;
      /** Whether a file's first lines have to say that it is about this folder: others have theirs in the same place. */
      readonly isShared: boolean;
    }
  | { readonly kind: 'sqlite'; readonly file: string };

/** Turns the lines of one transcript into events, in order. Keeps what it needs of earlier lines, and never throws. */
export interface TranscriptParser {
  /**
   * @param line without its end
   * @param seenNs when it was read, for records that have no time of their own
   */
  push(line: string, seenNs: bigint): AgentEvent[];
}

/** What a hook of the agent was called with. */
export interface HookCall {
  /** As the agent names the event. */
  readonly name: string;
  readonly payload: Fields;
  readonly seenNs: bigint;
}

/** How hooks reach us. */
export interface HookSetup {
  /** A private folder for files that the agent is to read; it exists. */
  readonly folder: string;
  /** The program and arguments that pass an event on; its input is the payload. */
  readonly relay: (event: string) => readonly string[];
  /** Where hooks that are code and not commands connect to. */
  readonly socket: string;
  /** How long an agent whose hooks are code waits for us after a tool, at most. */
  readonly waitMs: number;
  /** What the agent is going to be started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The agent may be told to run hooks that nobody reviewed, the project's own included. The user has to allow it. */
  readonly mayBypassTrust: boolean;
}

/** What to add to a launch. Nothing of the user's is edited. */
export interface LaunchAdditions {
  /** Right after the program, before its own arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

export interface FirstMessage {
  /** A private folder that lasts as long as the session's workspace. */
  readonly folder: string;
  readonly session: string;
  readonly message: string;
  /** What the agent is going to be started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const NO_ADDITIONS: LaunchAdditions = { args: [], env: {}, files: [] };

/** How an agent's memory can be brought back. */
export interface RestoreSupport {
  /** `checkpoint`: at any record, by the agent itself. `resume`: with a trimmed copy of its transcript. */
  readonly level: 'checkpoint' | 'resume' | 'stateless';
  /** Whether a transcript that ends in the middle of a turn can be resumed from another folder. */
  readonly canTrim: boolean;
  /** What has to be known before doing it. */
  readonly hazards: readonly string[];
}

/** What the product knows of one agent. */
export interface AgentAdapter {
  /** Id of a known agent. */
  readonly agent: string;
  readonly restore: RestoreSupport;
  transcripts(place: AgentPlace): TranscriptPlace;
  /** The agent's session that a transcript's path belongs to. */
  sessionOfPath(path: string): string | undefined;
  createParser(): TranscriptParser;
  /** Whether its hooks are code that it loads, and reach us by a socket. */
  readonly hasCodeHooks?: boolean;
  hookEvents(call: HookCall): AgentEvent[];
  /** What the title of the terminal says about the agent's state. */
  statusOfTitle(title: string): AgentStatus | undefined;
  /** It has no other word for the end of a turn than a title that says it is ready. */
  readonly endsTurnsByTitle?: boolean;
  /** What the agent says of its state to the terminal itself, for those that do; then its title counts no more. */
  statusOfState?(said: string): AgentStatus | undefined;
  additions(setup: HookSetup): LaunchAdditions;
  /** Cuts what the agent wrote down of a session to a moment, and makes a new session of it. Never throws. */
  readonly trim: (request: TrimRequest) => TrimmedSession;
  readonly commandLine: CommandLine;
  /** Tells a session that goes on its first message, where the command line takes none. Nothing where this is no way either. */
  readonly tellFirst?: (request: FirstMessage) => LaunchAdditions | undefined;
}
