import assert from 'node:assert/strict';
import { until } from '../../../support/ah.ts';
import { TimelineView } from './timelineView.ts';
import type { Workbench } from './workbench.ts';

/** The timeline in VS Code. */
export class TimelinePage extends TimelineView {
  readonly workbench: Workbench;

  constructor(workbench: Workbench) {
    super(workbench.page, workbench.webview());
    this.workbench = workbench;
  }

  /** Asserts that the timeline is right of a terminal in the editor area. */
  async assertBesideTerminal(): Promise<void> {
    const wrapper = '.editor-group-container .terminal-wrapper.active';
    const terminal = (await this.workbench.page.locator(wrapper).boundingBox())!;
    const player = (await this.frame.locator('.player').boundingBox())!;
    const edge = terminal.x + terminal.width;
    assert.ok(player.x >= edge, `${player.x} is right of the terminal, which ends at ${edge}`);
  }

  /** Opens the timeline of a listed session and waits until it shows something. */
  static async open(workbench: Workbench, name: string): Promise<TimelinePage> {
    await workbench.command('AH: Open Timeline');
    const timeline = new TimelinePage(workbench);
    const entry = workbench.pick(name);
    // VS Code shows no picker for a single session.
    await until(
      async () => {
        if ((await timeline.byteText()) !== '') return true;
        if (await entry.isVisible()) await entry.click({ timeout: 2000 }).catch(() => undefined);
        return false;
      },
      'the timeline to open',
      60_000,
    );
    await timeline.placed();
    return timeline;
  }
}
