import path from 'node:path';
import { agentArguments } from '../../common/agentCommand.ts';
import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import { adapterOf } from '../../adapters/adapters.ts';
import { carriedOptions } from '../../common/continuation/commandLine.ts';
import { NO_MODE, type LaunchMode } from '../../common/continuation/launchMode.ts';
import type {
  ContinuationDetails,
  ContinuationPlan,
} from '../../common/continuation/continuation.ts';
import { KNOWN_AGENTS } from '../../common/detect.ts';
import { replayCounts, replayText } from '../../common/continuation/replayText.ts';
import { toolTitle } from '../../common/events/toolAction.ts';
import type { TrimmedSession } from '../../common/trimming/trim.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { findProgram } from '../../../platform/node/processes/findProgram.ts';
import { BRANCH_FOLDER } from './ownFolder.ts';
import type { ContinueRequest } from './continueRequest.ts';
import { carriedTrust, NO_TRUST, type CarriedTrust } from './folderTrust.ts';
import { movedWorkspace, realPath } from './movedWorkspace.ts';
import { placerOf, randomLetters } from './sessionPlacers.ts';
import { readSessionMemory, type FoundMemory, type SessionMemory } from './sessionMemory.ts';

/** A trimmed session for the agent to resume. */
export interface ResumedSession {
  readonly adapter: AgentAdapter;
  /** The ID of the new session. */
  readonly session: string;
  readonly transcript: FoundMemory;
  readonly trimmed: TrimmedSession;
}

/** A continuation plan with all its inputs; nothing has been written yet. */
export interface Prepared extends ContinuationPlan {
  readonly program: string;
  readonly adapter: AgentAdapter | undefined;
  /** The agent's environment, home and folder in the new workspace. */
  readonly place: AgentPlace;
  /** Undefined when the agent starts without its memory. */
  readonly resumed: ResumedSession | undefined;
  /** The text for an agent that starts without its memory. */
  readonly replay: string | undefined;
  readonly trust: CarriedTrust;
  readonly mode: LaunchMode;
  readonly moved: (text: string) => string;
}

export async function prepareContinuation(request: ContinueRequest): Promise<Prepared> {
  const { agent = '', meta, env, home, workspace } = request;
  const adapter = adapterOf(agent);
  const program = programOf(request);
  const { from, moved } = await movedWorkspace(workspace);
  const place: AgentPlace = { env, home, cwd: moved(await realPath(meta.cwd)) };
  if (!adapter) return withoutAdapter(request, program, place, moved);
  const memory = await memoryOf(request, adapter);
  const session = placerOf(adapter).newSessionId();
  const { transcript } = memory;
  const trimmed = transcript && trimmedSession(adapter, memory, transcript, session, moved);
  const hasMemory = trimmed !== undefined && trimmed.prompts > 0 && trimmed.lines.length > 0;
  const resumed = transcript && hasMemory ? { adapter, session, transcript, trimmed } : undefined;
  const replay = resumed ? undefined : replayText(memory.events);
  const trust = await carriedTrust(
    agent,
    { from, isWorktree: workspace.isWorktree === true },
    place,
  );
  const args = agentArguments(meta.cmd);
  const { lines = [], certainLines = 0 } = transcript ?? {};
  const { untilNs } = memory;
  const mode = adapter.modeAt({ lines, certainLines, untilNs, args, moved });
  const isHeadless = request.message !== undefined && adapter.commandLine.isHeadless(args);
  return {
    program,
    adapter,
    place,
    resumed,
    replay,
    trust,
    mode,
    moved,
    // A session without prompts also counts as `replay`: it has no memory to lose.
    method: resumed ? 'resume' : 'replay',
    warnings: [
      ...(replay === undefined ? [] : [replayWarning(nameOf(agent), memory.problem)]),
      ...(resumed || memory.isCaptured ? [] : [unknownWarning(nameOf(agent))]),
      ...(resumed ? openCallWarnings(resumed.trimmed) : []),
      ...mode.warnings,
      ...optionWarnings(adapter, args),
      ...(isHeadless ? [] : trust.warnings),
      ...unsentWarnings(request, adapter, resumed?.session, isHeadless),
    ],
    details: {
      ...detailsOf(agent, memory, trimmed, resumed),
      ...modeDetails(mode),
    },
  };
}

function modeDetails({
  permissions,
  permissionsBefore,
  model,
}: LaunchMode): Pick<ContinuationDetails, 'permissions' | 'permissionsBefore' | 'model'> {
  return {
    ...(permissions !== undefined && { permissions }),
    ...(permissionsBefore !== undefined && { permissionsBefore }),
    ...(model !== undefined && { model }),
  };
}

function detailsOf(
  agent: string,
  { events }: SessionMemory,
  trimmed: TrimmedSession | undefined,
  resumed: ResumedSession | undefined,
): ContinuationDetails {
  const from = trimmed?.fromSession === undefined ? {} : { fromSession: trimmed.fromSession };
  if (!resumed) return { agent, ...from, ...replayCounts(events) };
  const { calls, prompts } = resumed.trimmed;
  const last = calls.at(-1);
  return {
    agent,
    ...from,
    toSession: resumed.session,
    prompts,
    toolCalls: calls.length,
    ...(last && { lastTool: toolTitle(last.tool, last.input) }),
  };
}

/** The folder for a resumed session's notes, in its workspace. */
export function restoreFolder(workspace: string, session: string): string {
  return path.join(workspace, BRANCH_FOLDER, 'restore', session);
}

async function memoryOf(request: ContinueRequest, adapter: AgentAdapter): Promise<SessionMemory> {
  const { env, home, meta, sessionFolder, moment } = request;
  const place = { env, home, cwd: await realPath(meta.cwd) };
  return readSessionMemory({ adapter, place, sessionFolder, timeNs: moment.timeNs });
}

function trimmedSession(
  adapter: AgentAdapter,
  { untilNs, results }: SessionMemory,
  { lines, certainLines }: FoundMemory,
  session: string,
  moved: (text: string) => string,
): TrimmedSession {
  return adapter.trim({
    lines,
    certainLines,
    untilNs,
    results,
    session,
    moved,
    randomText: randomLetters,
  });
}

/** The plan for an unknown program, which starts again with its old command. */
function withoutAdapter(
  { agent, meta }: ContinueRequest,
  program: string,
  place: AgentPlace,
  moved: (text: string) => string,
): Prepared {
  const name = path.basename(program);
  return {
    program,
    place,
    moved,
    adapter: undefined,
    resumed: undefined,
    replay: undefined,
    trust: NO_TRUST,
    mode: NO_MODE,
    method: 'replay',
    warnings: [
      `${name} is not a known agent: it starts without its memory, and you have to type the message.`,
    ],
    details: { agent: agent ?? path.basename(meta.cmd[0] ?? ''), prompts: 0, toolCalls: 0 },
  };
}

function programOf({ agent, meta, env }: ContinueRequest): string {
  const known = KNOWN_AGENTS.find(({ id }) => id === agent);
  const names = [...(meta.cmd[0] === undefined ? [] : [meta.cmd[0]]), ...(known?.programs ?? [])];
  let problem: unknown;
  for (const name of names) {
    try {
      return findProgram(name, env, '/');
    } catch (error) {
      problem ??= error;
    }
  }
  const name = known?.name ?? 'The program';
  throw new UserError('agent-missing', `${name} is no longer installed: ${messageOf(problem)}`, {
    cause: problem,
  });
}

function replayWarning(name: string, problem: string | undefined): string {
  const why = problem ?? 'its transcript is gone';
  return `${name} can't resume the session: ${why}. It starts a new conversation with a record of the prompts, answers and tool calls; details may be missing.`;
}

function unknownWarning(name: string): string {
  return `The conversation of this session was not captured: ${name} starts without its memory.`;
}

/** Warns when neither the command line nor the agent's adapter can send the message. */
function unsentWarnings(
  { message, env, workspace }: ContinueRequest,
  { agent, commandLine, sendFirstMessage }: AgentAdapter,
  session: string | undefined,
  isHeadless: boolean,
): string[] {
  if (message === undefined || commandLine.takesMessage({ isHeadless, session })) return [];
  const folder = restoreFolder(workspace.to, session ?? '');
  if (session !== undefined && sendFirstMessage?.({ folder, session, message, env })) return [];
  return [`${nameOf(agent)} opens the session without the message: type it there.`];
}

function openCallWarnings({ openCalls }: TrimmedSession): string[] {
  return openCalls.map(
    ({ tool, input }) =>
      `The agent won't remember this call, which was still running: ${toolTitle(tool, input)}`,
  );
}

function optionWarnings({ commandLine }: AgentAdapter, args: readonly string[]): string[] {
  const { unknown } = carriedOptions(commandLine, args, true);
  if (unknown.length === 0) return [];
  return [`These options are not passed on: ${unknown.join(' ')}`];
}

function nameOf(agent: string): string {
  return KNOWN_AGENTS.find(({ id }) => id === agent)?.name ?? agent;
}
