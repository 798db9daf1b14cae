import path from 'node:path';
import type { AgentAdapter, AgentPlace } from '../../common/adapter.ts';
import { adapterOf } from '../../adapters/adapters.ts';
import { carriedOptions } from '../../common/commandLine.ts';
import type { ContinuationPlan } from '../../common/continuation.ts';
import { KNOWN_AGENTS } from '../../common/detect.ts';
import { replayCounts, replayText } from '../../common/replayText.ts';
import { toolTitle } from '../../common/toolAction.ts';
import type { TrimmedSession } from '../../trim/trim.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { findProgram } from '../../../platform/node/processes/findProgram.ts';
import type { ContinueRequest } from './continueRequest.ts';
import { carriedTrust, type CarriedTrust } from './folderTrust.ts';
import { movedWorkspace, realPath } from './movedWorkspace.ts';
import { placerOf, randomLetters } from './placeSession.ts';
import { readSessionMemory, type FoundMemory, type SessionMemory } from './sessionMemory.ts';

/** Everything that is known before anything is written. */
export interface Prepared extends ContinuationPlan {
  readonly program: string;
  readonly adapter: AgentAdapter | undefined;
  /** Of the new workspace. */
  readonly place: AgentPlace;
  readonly transcript: FoundMemory | undefined;
  readonly trimmed: TrimmedSession | undefined;
  /** What to tell an agent that starts without its memory. */
  readonly replay: string | undefined;
  readonly trust: CarriedTrust;
  readonly moved: (text: string) => string;
}

const NO_TRUST: CarriedTrust = { options: [], env: {}, warnings: [] };

export async function prepareContinuation(request: ContinueRequest): Promise<Prepared> {
  const { agent = '', meta, env, home, workspace } = request;
  const adapter = adapterOf(agent);
  const program = programOf(request);
  const { from, moved } = await movedWorkspace(workspace);
  const place: AgentPlace = { env, home, cwd: moved(await realPath(meta.cwd)) };
  if (!adapter) return stranger(request, program, place, moved);
  const memory = await memoryOf(request, adapter);
  const session = placerOf(agent)!.newSession();
  const trimmed = trimmedMemory(adapter, memory, session, moved);
  const isResumed = trimmed !== undefined && trimmed.prompts > 0 && trimmed.lines.length > 0;
  const replay = isResumed ? undefined : replayText(memory.events);
  const trust = await carriedTrust(
    agent,
    { from, isWorktree: workspace.isWorktree === true },
    place,
  );
  const counts = replayCounts(memory.events);
  const isSaid = request.message !== undefined;
  const isHeadless = adapter.commandLine.isHeadless(meta.cmd.slice(1)) && isSaid;
  const goesOn = { isHeadless, session: isResumed ? session : undefined };
  const folder = restoreFolder(workspace.to, session);
  const isSentOtherwise = (message: string): boolean =>
    isResumed && adapter.tellFirst?.({ folder, session, message, env }) !== undefined;
  const isUnsent =
    request.message !== undefined &&
    !adapter.commandLine.takesMessage(goesOn) &&
    !isSentOtherwise(request.message);
  const lastCall = trimmed?.calls.at(-1);
  return {
    ...{ program, adapter, place, transcript: memory.transcript, replay, trust, moved },
    // Also where nothing had been said yet: it starts anew, and misses nothing.
    method: isResumed ? 'resume' : 'replay',
    trimmed: isResumed ? trimmed : undefined,
    warnings: [
      ...(replay === undefined ? [] : [replayWarning(nameOf(agent), memory.problem)]),
      ...(isResumed || memory.isKept ? [] : [unknownWarning(nameOf(agent))]),
      ...(isResumed ? openCallWarnings(trimmed) : []),
      ...optionWarnings(adapter, meta.cmd.slice(1)),
      ...(isHeadless ? [] : trust.warnings),
      ...(isUnsent
        ? [`${nameOf(agent)} opens the session; the message has to be typed there.`]
        : []),
    ],
    details: {
      agent,
      ...(trimmed?.fromSession !== undefined && { fromSession: trimmed.fromSession }),
      ...(isResumed && { toSession: session }),
      ...(isResumed ? { prompts: trimmed.prompts, toolCalls: trimmed.calls.length } : counts),
      ...(isResumed && lastCall && { lastTool: toolTitle(lastCall.tool, lastCall.input) }),
    },
  };
}

/** What was made for a session that goes on, in its workspace. */
export function restoreFolder(workspace: string, session: string): string {
  return path.join(workspace, '.ah', 'restore', session);
}

async function memoryOf(request: ContinueRequest, adapter: AgentAdapter): Promise<SessionMemory> {
  const { env, home, meta, sessionFolder, moment } = request;
  const place = { env, home, cwd: await realPath(meta.cwd) };
  return readSessionMemory({ adapter, place, sessionFolder, timeNs: moment.timeNs });
}

function trimmedMemory(
  adapter: AgentAdapter,
  { transcript, untilNs, results }: SessionMemory,
  session: string,
  moved: (text: string) => string,
): TrimmedSession | undefined {
  if (!transcript) return undefined;
  const { lines, certainLines } = transcript;
  return adapter.trim({
    ...{ lines, certainLines, untilNs, results, session, moved },
    randomText: randomLetters,
  });
}

/** A program of which nothing is known: it starts again as it was started. */
function stranger(
  { agent, meta }: ContinueRequest,
  program: string,
  place: AgentPlace,
  moved: (text: string) => string,
): Prepared {
  const name = path.basename(program);
  return {
    ...{ program, place, moved, adapter: undefined, transcript: undefined, trimmed: undefined },
    ...{ replay: undefined, trust: NO_TRUST, method: 'replay' },
    warnings: [
      `How ${name} remembers a session is not known: it starts afresh, and the message has to be typed.`,
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
  throw new UserError('agent-missing', `${name} is not installed any more: ${messageOf(problem)}`, {
    cause: problem,
  });
}

function replayWarning(name: string, problem: string | undefined): string {
  const why = problem ?? 'what it wrote down of the session is gone';
  return `${name} cannot go on with the session itself: ${why}. It starts afresh and is told what was said and done; it may miss details.`;
}

function unknownWarning(name: string): string {
  return `What was said in this session was not kept: ${name} starts afresh, without its memory.`;
}

function openCallWarnings({ openCalls }: TrimmedSession): string[] {
  return openCalls.map(
    ({ tool, input }) =>
      `The agent will not know of what was still running: ${toolTitle(tool, input)}`,
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
