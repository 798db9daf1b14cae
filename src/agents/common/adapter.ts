import type { CommandLine } from './continuation/commandLine.ts';
import type { LaunchMode, ModeRequest } from './continuation/launchMode.ts';
import type { AgentEvent, AgentStatus } from './events/events.ts';
import type { TrimmedSession, TrimRequest } from './trimming/trim.ts';
import type { Fields } from './untrusted.ts';

/** The environment, home and folder of a program: they decide where an agent keeps its files. */
export interface AgentPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The current folder, with symbolic links resolved. */
  readonly cwd: string;
}

/** Where an agent stores its transcripts. */
export type TranscriptPlace =
  | {
      readonly kind: 'files';
      /** The folder that contains the files, directly or in subfolders. */
      readonly folder: string;
      /** How many levels of subfolders to search; 0 searches the folder alone. */
      readonly depth: number;
      /** Matches a session's file by its path relative to the folder, with `/` as the separator. */
      readonly pattern: RegExp;
      /**
       * Whether other projects store files here too, so that a file belongs to this project only if
       * its first lines name the folder.
       */
      readonly isShared: boolean;
    }
  | { readonly kind: 'sqlite'; readonly file: string };

/** Turns the lines of one transcript into events, in order. Stateful; never throws. */
export interface TranscriptParser {
  /**
   * @param line without its line end
   * @param seenNs when the line was read; used for records without a time of their own
   */
  push(line: string, seenNs: bigint): AgentEvent[];
}

/** One call of a hook. */
export interface HookCall {
  /** The agent's name for the event. */
  readonly name: string;
  readonly payload: Fields;
  readonly seenNs: bigint;
}

/** What an adapter needs to install hooks that reach the recorder. */
export interface HookSetup {
  /** An existing private folder for files that the agent reads. */
  readonly folder: string;
  /**
   * The command that passes an event to the recorder; it reads the payload from its standard input.
   */
  readonly relay: (event: string) => readonly string[];
  /** The socket that hooks written as code (plugins) connect to. */
  readonly socket: string;
  /** The longest time that a plugin waits for the recorder after a tool call. */
  readonly waitMs: number;
  /** The environment that the agent starts with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the user allows the agent to run unreviewed hooks, the project's own included. */
  readonly mayBypassTrust: boolean;
}

/** What to add to a launch. The user's own settings stay unchanged. */
export interface LaunchAdditions {
  /** Inserted between the program and its own arguments. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

export interface FirstMessageRequest {
  /** A private folder that exists as long as the session's workspace. */
  readonly folder: string;
  readonly session: string;
  readonly message: string;
  /** The environment that the agent starts with. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const NO_ADDITIONS: LaunchAdditions = { args: [], env: {}, files: [] };

/** Everything that differs between agents. */
export interface AgentAdapter {
  /** The ID of a known agent. */
  readonly agent: string;
  transcripts(place: AgentPlace): TranscriptPlace;
  /** The agent's ID of a session, read from the path of its transcript. */
  sessionOfPath(path: string): string | undefined;
  createParser(): TranscriptParser;
  /** Whether the agent's hooks are a plugin that connects to the recorder's socket. */
  readonly hasCodeHooks?: boolean;
  hookEvents(call: HookCall): AgentEvent[];
  /** The agent's status according to the terminal title. */
  statusOfTitle(title: string): AgentStatus | undefined;
  /** Whether only a "ready" title marks the end of a turn. */
  readonly endsTurnsByTitle?: boolean;
  /**
   * The status in a state escape sequence, for agents that send one; it then replaces the title's
   * status.
   */
  statusOfState?(state: string): AgentStatus | undefined;
  additions(setup: HookSetup): LaunchAdditions;
  /** Trims the agent's transcript to a moment and gives it a new session ID. Never throws. */
  readonly trim: (request: TrimRequest) => TrimmedSession;
  readonly commandLine: CommandLine;
  /**
   * The permissions and the model at a moment, and the options that start the agent with them.
   * Never throws.
   */
  readonly modeAt: (request: ModeRequest) => LaunchMode;
  /**
   * Sends the first message to a resumed session when the command line can't carry it; undefined
   * when this is not possible either.
   */
  readonly sendFirstMessage?: (request: FirstMessageRequest) => LaunchAdditions | undefined;
}
