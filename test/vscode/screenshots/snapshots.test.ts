import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { recordCommand } from '../harness/pages/journeySteps.ts';
import { ReviewPage } from '../harness/pages/reviewPage.ts';
import { run, takeSnapshot } from '../harness/pages/shellSteps.ts';
import { setTheme, THEMES } from '../harness/editor/themes.ts';
import { useWorkspace } from '../harness/useWorkspace.ts';
import type { Workbench } from '../harness/pages/workbench.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/images');
/** Dialogs and pickers fade in. */
const FADE_MS = 1000;

const QUEUE = `export class Queue<T> {
  #items: T[] = [];

  push(item: T): void {
    this.#items.push(item);
  }

  next(): T | undefined {
    return this.#items.shift();
  }
}
`;
const README = '# Letters\n\nSends letters, one after the other.\n';

describe('screenshots of snapshots', function () {
  this.timeout(400_000);
  const workspace = useWorkspace();

  for (const [name, theme] of Object.entries(THEMES)) {
    it(name, async () => {
      setTheme(theme);
      await makeProject(workspace.folder);
      const workbench = await workspace.open();
      const { page } = workbench;
      const picture = async (what: string) => {
        await page.mouse.move(900, 620); // Away from elements with tooltips.
        await page.waitForTimeout(FADE_MS);
        await page.screenshot({ path: path.join(FOLDER, `snapshots-${what}-${name}.png`) });
      };
      await recordWork(workbench);
      await workbench.command('View: Toggle Panel Visibility');
      await workbench.command('AH: Open Snapshot as Read-only Folder…');
      await workbench.pick('tests pass').waitFor();
      await picture('list');
      await page.keyboard.press('Escape');
      await workbench.commandAndPick('AH: Compare Two Snapshots…', 'Session start');
      await workbench.pick('tests pass').click();
      await page.locator('.multiDiffEntry', { hasText: 'queue.ts' }).first().waitFor();
      await picture('compare');
      await workbench.command('View: Close All Editors');
      await workbench.commandAndPick('AH: Restore Workspace to Snapshot…', 'tests pass');
      const review = new ReviewPage(workbench);
      await review.shows('Apply ');
      await page.locator('.multiDiffEntry', { hasText: 'queue.ts' }).first().waitFor();
      await picture('restore');
      await review.row('Apply ').click();
      await workbench.notification('Restored').waitFor();
      await picture('restored');
    });
  }
});

async function makeProject(folder: string): Promise<void> {
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'src/queue.ts'), QUEUE);
  writeFileSync(path.join(folder, 'README.md'), README);
  await userGit(folder, 'init', '-q');
  await userGit(folder, 'add', '.');
  await userGit(folder, 'commit', '-qm', 'first');
}

/** A recorded shell with labeled snapshots. */
async function recordWork(workbench: Workbench): Promise<void> {
  await recordCommand(workbench, 'bash --norc');
  await run(workbench, 'true');
  await run(workbench, `sed -i 's/this.#items.shift/this.#first/' src/queue.ts`);
  await run(workbench, `echo 'export const LIMIT = 100;' > src/limit.ts`);
  await takeSnapshot(workbench, 'a limit');
  await run(workbench, `sed -i 's/one after the other/in order/' README.md`);
  await takeSnapshot(workbench, 'tests pass');
  await run(workbench, `sed -i '/push/,/^  }/d' src/queue.ts; rm src/limit.ts`);
  await run(workbench, `echo 'draft' > notes.txt`);
}
