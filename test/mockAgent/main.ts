import { parseCommandLine, usage } from './commandLine.ts';
import { momentAnnouncer } from './ipc/momentAnnouncer.ts';
import { openContext } from './openContext.ts';
import { AgentExit, playSteps } from './playSteps.ts';
import { answerTo, readScenario, runMain } from './runMain.ts';

async function main(): Promise<number> {
  const commandLine = parseCommandLine(process.argv.slice(2), process.env);
  if (commandLine === 'help') {
    console.log(usage);
    return 0;
  }
  const { scenarioFile, prompt } = commandLine;
  const scenario = await readScenario(scenarioFile);
  const steps = prompt === undefined ? scenario.steps : answerTo(scenario, prompt);
  const moments = momentAnnouncer(process.env.AH_IPC_SOCKET);
  const context = await openContext({ ...commandLine, moments }, scenario);
  try {
    await playSteps(steps, context);
    return 0;
  } catch (error) {
    if (error instanceof AgentExit) return error.exitCode;
    throw error;
  } finally {
    await context.output.write(context.modes.undoSequence());
    await context.transcript.turnEnded(Math.round(context.pace.elapsedMs));
    await context.transcript.end();
  }
}

void runMain(main);
