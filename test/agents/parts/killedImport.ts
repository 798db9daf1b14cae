import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { collect, processes, until } from '../../support/ah.ts';
import { commandOf } from '../../support/processes/processCommand.ts';
import type { AgentLab } from '../agentLab.ts';
import { sessionRows, treeOf } from '../originals.ts';
import { afterTools, type Original } from '../useOriginal.ts';

const IMPORT_MS = 90_000;

/** Kills `ah branch`, and opencode's import too, at several moments. */
export function killedImport(
  lab: { readonly current: AgentLab },
  original: { readonly current: Original },
): void {
  const isImporting = (pid: number): boolean => commandOf(pid).includes('opencode-import.json');

  for (const [what, when, isKilledToo] of [
    ['before the import begins', 'started', true],
    ['together with a half-done import', 'half in', true],
    ['during the import', 'started', false],
  ] as const) {
    it(`lists a branch that was killed ${what}, and removes all of it`, async () => {
      const { home, cwd, branch } = lab.current;
      const before = { rows: sessionRows(home), tree: treeOf(cwd) };
      const moment = afterTools(original.current)[1]!;
      const child = lab.current.startAh(
        ...['branch', '--session', original.current.session.id, '--snapshot', String(moment.id)],
        ...['--message', 'Go on.', '--name', 'killed', '--dest', branch, '--no-launch'],
      );
      const ended = collect(child);
      const isTime = (): boolean =>
        when === 'started'
          ? processes().some(isImporting)
          : Object.keys(sessionRows(home)).length > Object.keys(before.rows).length;
      await until(isTime, 'the import', IMPORT_MS);
      child.kill('SIGKILL');
      if (isKilledToo) {
        for (const pid of processes().filter(isImporting)) process.kill(pid, 'SIGKILL');
      }
      await ended;
      await until(() => !processes().some(isImporting), 'the import to end', IMPORT_MS);

      assert.deepEqual(await statesAt(lab.current, branch), ['interrupted']);
      const isIn = Object.keys(sessionRows(home)).length > Object.keys(before.rows).length;
      if (!isKilledToo) assert.ok(isIn, 'opencode has imported it');
      const losses = await lab.current.ah('branch', 'rm', 'killed', '--dry-run');
      assert.equal(/opencode session ses_/.test(losses.stdout.toString()), isIn);
      const removed = await lab.current.ah('branch', 'rm', 'killed', '--yes');
      assert.equal(removed.exitCode, 0, removed.stderr);
      assert.doesNotMatch(removed.stderr, /keeps its session/);
      assert.deepEqual(sessionRows(home), before.rows);
      assert.deepEqual(treeOf(cwd), before.tree);
      assert.ok(!existsSync(branch));
      assert.deepEqual(await statesAt(lab.current, branch), []);
    });
  }
}

/** The listed branches in a folder; other tests use other folders. */
async function statesAt(lab: AgentLab, destination: string): Promise<string[]> {
  const { stdout } = await lab.ah('branches', '--json');
  const all = JSON.parse(stdout.toString()) as { destination: string; stateText: string }[];
  return all.filter((each) => each.destination === destination).map(({ stateText }) => stateText);
}
