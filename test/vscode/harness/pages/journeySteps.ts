import assert from 'node:assert/strict';
import { processes, until } from '../../../support/ah.ts';
import { readFileSync } from 'node:fs';
import type { CataloguedSession } from '../../../../src/sessions/node/catalogue.ts';
import { journeyWorld } from '../journeyHooks.ts';
import type { Workbench } from './workbench.ts';

/** Records an agent from the palette, in a new terminal. */
export async function recordAgent(workbench: Workbench, label = 'Claude Code'): Promise<void> {
  await workbench.page.evaluate(MARK_TERMINALS);
  await workbench.commandAndPick('AH: Record Agent', label);
  const shown = workbench.page.locator('.terminal-wrapper.active');
  const old = workbench.page.locator('.terminal-wrapper.active[data-seen]');
  const isNewAlone = async () => (await shown.count()) > 0 && (await old.count()) === 0;
  await until(isNewAlone, 'a new terminal', 30_000);
  await workbench.terminalShows('Fake agent ready');
}

/** Runs in the page: all fake agents start with the same text. */
const MARK_TERMINALS = `document
  .querySelectorAll('.terminal-wrapper')
  .forEach((terminal) => terminal.setAttribute('data-seen', ''))`;

export async function recordCommand(workbench: Workbench, line: string): Promise<void> {
  await workbench.commandAndPick('AH: Record Agent', 'Custom Command');
  await workbench.answer(line);
}

/** The only session that was recorded in a folder. */
export async function sessionIn(folder: string): Promise<CataloguedSession> {
  const sessions = await journeyWorld().sandbox.catalogue.list();
  const found = sessions.filter(({ meta }) => meta.cwd === folder);
  assert.equal(found.length, 1, 'one session');
  return found[0]!;
}

/** Kills all extension hosts of the test's VS Code. */
export function crashExtensionHosts(): void {
  const { sandbox } = journeyWorld();
  const hosts = processes().filter(
    (pid) =>
      readProc(pid, 'cmdline').includes('--type=extensionHost') &&
      readProc(pid, 'environ').includes(`AH_DATA_DIR=${sandbox.folder}\0`),
  );
  assert.ok(hosts.length > 0, 'an extension host runs');
  for (const pid of hosts) process.kill(pid, 'SIGKILL');
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // The process has ended.
  }
}
