import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { runInPty, type PtyRun } from '../../support/terminal/ptyRun.ts';
import { TimelinePage } from '../harness/pages/timelinePage.ts';
import { ADDRESS, useDemo } from '../harness/useDemo.ts';
import { Workbench } from '../harness/pages/workbench.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../..');
const INSTRUCTION = 'Fix the pool';
const SIZE = { width: 1280, height: 720 };

/** ffmpeg's filter: scales down, then lets all frames share the colours that they use most. */
const FILTER =
  'scale=1024:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=64:stats_mode=full[p];' +
  '[b][p]paletteuse=dither=none:diff_mode=rectangle';

describe('the animation in the README', function () {
  this.timeout(400_000);
  let terminal: PtyRun | undefined;
  let frames: Frames;
  beforeEach(() => {
    frames = new Frames();
  });
  afterEach(async () => {
    frames.dispose();
    terminal?.pty.write('\u0003');
    await terminal?.ended;
  });
  const demo = useDemo();

  it('shows the way from a wrong turn to a branch', async () => {
    const env = demo.environment({ AH_DEMO_SPEED: '4' });
    terminal = runInPty('npm', ['start'], { cwd: projectFolder, env });
    await terminal.waitFor('Ctrl-C here ends');
    const workbench = await demo.open(terminal.output().toString().match(ADDRESS)![0]);
    const { page } = workbench;
    await page.setViewportSize(SIZE);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await workbench.command('View: Toggle Primary Side Bar Visibility');
    await workbench.terminalShows('Run the tests 200 times?', 60_000);
    const timeline = new TimelinePage(workbench);
    await timeline.placed();
    await frames.add(page, 2);
    await workbench.type('y');
    const wrongTurn = timeline.frame.locator('.moment-go', {
      hasText: 'The quickest way to green',
    });
    await wrongTurn.first().waitFor({ timeout: 120_000 });
    await frames.add(page, 2);
    await workbench.terminalShows('Type an instruction', 120_000);
    await timeline.settled();
    await frames.add(page, 1.5);
    await wrongTurn.first().click();
    await timeline.settled();
    await frames.add(page, 2.5);
    await timeline.frame.locator('.player').focus();
    await page.keyboard.press('i');
    await timeline.frame.locator('.instruction textarea').waitFor();
    for (const letter of INSTRUCTION) {
      await page.keyboard.type(letter);
      await frames.add(page, 0.1);
    }
    await frames.add(page, 1);
    await page.keyboard.press('Enter');
    const choice = workbench.pick('Branch in a New Window');
    await choice.waitFor();
    // The dialog fades in.
    await page.waitForTimeout(500);
    await frames.add(page, 3);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), choice.click()]);
    await opened.setViewportSize(SIZE);
    const branch = new Workbench(opened);
    await branch.ready();
    await branch.command('View: Toggle Primary Side Bar Visibility');
    await branch.terminalShows('Done, without touching the test', 120_000);
    await frames.add(opened, 4);
    frames.write(path.join(projectFolder, 'docs/images/demo.gif'));
  });
});

/** Screenshots in a temporary folder, each with the time that it is shown. */
class Frames {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'ah-frames-'));
  readonly #list: string[] = [];

  async add(page: Page, seconds: number): Promise<void> {
    // Away from buttons, which would show their tooltips.
    await page.mouse.move(SIZE.width / 2, SIZE.height - 1);
    const file = `${this.#list.length}.png`;
    await page.screenshot({ path: path.join(this.#folder, file) });
    this.#list.push(`file ${file}\nduration ${seconds}\n`);
  }

  write(file: string): void {
    writeFileSync(path.join(this.#folder, 'frames.txt'), this.#list.join(''));
    const input = ['-f', 'concat', '-i', 'frames.txt'];
    execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...input, '-vf', FILTER, file], {
      cwd: this.#folder,
    });
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
