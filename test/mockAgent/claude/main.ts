// Plays a scenario as Claude Code would: with its options, hooks and transcript files. Recorded, it
// has turns, tools, approvals and a memory that a branch can continue.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { UserError } from '../../../src/base/errors.ts';
import { claudeProjectName } from '../../../src/agents/adapters/claudeCode.ts';
import type { AgentContext, TerminalInput } from '../agentContext.ts';
import { openContext } from '../openContext.ts';
import type { Pace } from '../pace.ts';
import { AgentExit, playSteps } from '../playSteps.ts';
import { answerTo, readScenario, runMain } from '../runMain.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { readLine } from '../terminal/readInput.ts';
import { print } from '../terminal/print.ts';
import { parseClaudeArguments } from './claudeArguments.ts';
import { Hooks } from './hooks.ts';

const projects = path.join(
  process.env['CLAUDE_CONFIG_DIR'] ?? path.join(homedir(), '.claude'),
  'projects',
);

/** Scenario time that a question stays on the screen. */
const UNANSWERED_MS = 3000;

async function main(): Promise<number> {
  const [scenarioFile = '', ...args] = process.argv.slice(2);
  const { isVersionAsked, settings, resume, message } = parseClaudeArguments(args);
  if (isVersionAsked) {
    console.log('0.0.0 (Mock Agent)');
    return 0;
  }
  const scenario = await readScenario(scenarioFile);
  const cwd = process.cwd();
  const sessionId = resume ?? randomUUID();
  const transcript = resume === undefined ? newTranscript(cwd, sessionId) : findTranscript(resume);
  const hookContext = { session_id: sessionId, transcript_path: transcript, cwd };
  const hooks = await Hooks.open(settings, hookContext);
  const opened = await openContext(
    {
      folder: cwd,
      speed: Number(process.env['MOCK_AGENT_SPEED'] ?? 1),
      seed: undefined,
      prompt: undefined,
      transcript,
      sessionId,
      resume: resume !== undefined,
      transcriptPartial: false,
      transcriptTruncate: undefined,
      moments: undefined,
      listener: hooks,
    },
    scenario,
  );
  const isAlone = process.env['MOCK_AGENT_ENDS'] === '1';
  const context = isAlone ? { ...opened, input: noInput(opened.pace) } : opened;
  await hooks.started(resume === undefined ? 'startup' : 'resume');
  if (resume !== undefined) await print(context, `{{dim}}${memoryOf(transcript)}{{/}}\n`);
  try {
    if (message !== undefined) await answer(context, scenario, message);
    else if (resume === undefined) await playTurn(context, scenario.steps);
    if (!isAlone) await converse(context, scenario);
    return 0;
  } catch (error) {
    if (error instanceof AgentExit) return error.exitCode;
    throw error;
  } finally {
    await context.output.write(context.modes.undoSequence());
    await context.transcript.end();
    await hooks.ended();
  }
}

/** Answers what the user types until the input ends, or until `/exit`. */
async function converse(context: AgentContext, scenario: Scenario): Promise<void> {
  for (;;) {
    await print(context, '\n{{dim}}Type an instruction, or /exit.{{/}}\n{{bold}}❯{{/}} ');
    const line = (await readLine(context))?.trim();
    if (line === undefined || line === '/exit') return;
    if (line !== '') await answer(context, scenario, line);
  }
}

function answer(context: AgentContext, scenario: Scenario, message: string): Promise<void> {
  context.variables.set('prompt', message);
  return playTurn(context, answerTo(scenario, message));
}

async function playTurn(context: AgentContext, steps: Scenario['steps']): Promise<void> {
  const startedMs = context.pace.elapsedMs;
  await playSteps(steps, context);
  await context.transcript.turnEnded(Math.round(context.pace.elapsedMs - startedMs));
}

/** Without a user, questions get their default after a while. */
function noInput(pace: Pace): TerminalInput {
  return {
    async read() {
      await pace.pause(UNANSWERED_MS);
      return undefined;
    },
  };
}

/** What the agent knows of the conversation that it continues. */
function memoryOf(transcript: string): string {
  const records = readFileSync(transcript, 'utf8').split('\n');
  const count = (pattern: RegExp) => records.filter((record) => pattern.test(record)).length;
  const prompts = count(/"role":"user","content":"/);
  const calls = count(/"type":"tool_use"/);
  return `Continues a conversation: instructions ${prompts}, tool calls ${calls}.`;
}

function newTranscript(cwd: string, sessionId: string): string {
  return path.join(projects, claudeProjectName(cwd), `${sessionId}.jsonl`);
}

function findTranscript(sessionId: string): string {
  const folders = existsSync(projects) ? readdirSync(projects) : [];
  const files = folders.map((folder) => path.join(projects, folder, `${sessionId}.jsonl`));
  const file = files.find((each) => existsSync(each));
  if (file === undefined)
    throw new UserError('not-found', `No conversation found with session ID: ${sessionId}`);
  return file;
}

void runMain(main);
