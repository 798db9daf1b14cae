import assert from 'node:assert/strict';
import type { Browser, FrameLocator, Page } from 'playwright-core';

/** A task of one frame. */
export interface FrameTask {
  /** Wall-clock time. */
  readonly ms: number;
  /** CPU time, which other processes do not increase. */
  readonly cpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

interface Noted {
  readonly tasks: readonly { readonly start: number; readonly duration: number }[];
  /** The time of the mark that is also in the trace. */
  readonly markedAt: number;
}

const MARK = 'ah-task-watch';

/** Runs in each frame first: notes the frame's own tasks of more than 50 ms. */
const WATCH = `
  globalThis.ownTasks = [];
  new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries()) {
      if (name === 'self') globalThis.ownTasks.push({ start: startTime, duration });
    }
  }).observe({ type: 'longtask', buffered: true });
`;

/** Measures the long tasks of a page. The browser reports the tasks, its trace their CPU time. */
export class TaskWatch {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Call before the watched frame loads. */
  static async start(browser: Browser, page: Page): Promise<TaskWatch> {
    await page.context().addInitScript(WATCH);
    await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
    return new TaskWatch(browser);
  }

  /** @returns the frame's tasks of more than 50 ms since it was loaded */
  async stop(frame: Pick<FrameLocator, 'locator'>): Promise<FrameTask[]> {
    const { tasks, markedAt }: Noted = await frame.locator('body').evaluate(`({
      markedAt: performance.mark('${MARK}').startTime,
      tasks: globalThis.ownTasks,
    })`);
    const trace = (await this.#browser.stopTracing()).toString();
    const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
    const mark = traceEvents.find(({ name }) => name === MARK)!;
    const run = traceEvents.filter(
      ({ name, pid, tid, dur }) =>
        name.endsWith('RunTask') && pid === mark.pid && tid === mark.tid && dur !== undefined,
    );
    return tasks.map(({ start, duration }) => {
      const middle = mark.ts + (start + duration / 2 - markedAt) * 1000;
      const task = run.find(({ ts, dur }) => ts <= middle && middle <= ts + dur!);
      return { ms: duration, cpuMs: task?.tdur === undefined ? duration : task.tdur / 1000 };
    });
  }
}

/** A longer pause is noticeable. */
const LONGEST_TASK_MS = 100;

export function assertShort(tasks: readonly FrameTask[]): void {
  const longest = Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs));
  const onTheClock = Math.max(0, ...tasks.map(({ ms }) => ms));
  const facts = `${longest.toFixed(0)} ms of a processor at its longest, ${onTheClock.toFixed(0)} ms on the clock`;
  console.log(`      ${tasks.length} tasks of more than 50 ms; ${facts}`);
  assert.ok(longest <= LONGEST_TASK_MS, facts);
}
