import path from 'node:path';
import { placeShortSession } from '../harness/sessions/agentSession.ts';
import { journeyWorld } from '../harness/journeyHooks.ts';
import { setTheme, THEMES } from '../harness/editor/themes.ts';
import { TranscriptPage } from '../harness/pages/transcriptPage.ts';
import { useWorkspace } from '../harness/useWorkspace.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/images');

describe('screenshots of the transcript', function () {
  this.timeout(300_000);
  const workspace = useWorkspace('queue');

  for (const [name, theme] of Object.entries(THEMES)) {
    it(name, async () => {
      setTheme(theme);
      await placeShortSession(journeyWorld().sandbox, workspace.folder, 'claude · fix flaky test');
      const workbench = await workspace.open();
      await workbench.command('AH: Open Transcript');
      const transcript = new TranscriptPage(workbench);
      await transcript.shows('19 passed');
      await transcript.lens('Branch here').nth(1).waitFor();
      await workbench.expandPane('Outline');
      await transcript.lens('Branch here').nth(1).click();
      await transcript.title('from snapshot #11').waitFor();
      await transcript.write('Do not sleep: inject a clock, and advance it in the test');
      await workbench.page.mouse.move(900, 700); // Away from elements with tooltips.
      await workbench.page.screenshot({ path: path.join(FOLDER, `transcript-${name}.png`) });
    });
  }
});
