import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { outputOf, readRecording } from '../../../support/ah.ts';
import { journeyWorld } from '../../harness/journeyHooks.ts';
import { recordCommand, sessionIn } from '../../harness/pages/journeySteps.ts';
import { useWorkspace } from '../../harness/useWorkspace.ts';

/** AH_RELOADS=50 makes this a long run. */
const RELOADS = Number(process.env['AH_RELOADS'] ?? 3);
const NUMBER = /^tick \d+$/gm;

describe(`${RELOADS} reloads in a row`, function () {
  this.timeout(60_000 + RELOADS * 30_000);
  const workspace = useWorkspace();

  it('neither lose nor repeat output while the agent prints', async () => {
    const workbench = await workspace.open();
    await recordCommand(
      workbench,
      'i=0; trap "echo the end; exit" INT; while :; do i=$((i+1)); echo "tick $i"; read -t 0.005 x; done',
    );
    await workbench.terminalShows('tick');
    for (let i = 0; i < RELOADS; i++) {
      await workbench.page.reload();
      await workbench.ready();
      await workbench.terminalShows('tick');
    }
    await workbench.type('');
    await workbench.page.keyboard.press('Control+C');
    await workbench.terminalShows('the end');
    await workbench.terminalShows('Ended with exit code 0');
    const shown = (await workbench.terminalBuffer()).match(NUMBER) ?? [];

    await journeyWorld().sandbox.settled();
    const { meta } = await sessionIn(workspace.folder);
    assert.ok(!existsSync(meta.hostSocket), 'no socket is left');
    const output = outputOf((await readRecording(meta.recording)).records).toString();
    const recorded = output.replaceAll('\r', '').match(NUMBER) ?? [];
    assert.deepEqual(
      recorded,
      recorded.map((_, index) => `tick ${index + 1}`),
      'every number once, in order',
    );
    assert.ok(shown.length > 100, `${shown.length} lines are shown`);
    assert.deepEqual(shown, recorded.slice(-shown.length), 'the terminal shows what was recorded');
  });
});
