import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import type { SnapshotFiles } from '../../../../src/snapshots/common/snapshotLine.ts';
import { write } from '../../../support/recording/recordings.ts';
import { writeSnapshotLines } from '../../../support/git/writeSnapshotLines.ts';
import { ensureSystemPackages } from '../editor/aptPackages.ts';
import { startBrowser } from '../editor/browser.ts';
import { StandaloneTimeline, type StandaloneOptions } from './standaloneTimeline.ts';

const STARTED_NS = 1_760_000_000_000_000_000n;

export interface TimelinePages {
  readonly browser: Browser;
  /** The last opened recording. */
  readonly file: string;
  /** Records of a finished session, with times relative to its start, and files beside it. */
  open(
    records: readonly AhrRecord[],
    options?: StandaloneOptions & {
      readonly events?: readonly string[];
      /**
       * The stored files of every snapshot in the recording; by default, all of them are stored.
       */
      readonly snapshotFiles?: SnapshotFiles;
    },
  ): Promise<StandaloneTimeline>;
  /** The bytes of the file. */
  openFile(options?: StandaloneOptions): Promise<StandaloneTimeline>;
}

/** Call in a `describe`: one browser for all tests, a page and a folder for each. */
export function useTimelinePage(): TimelinePages {
  let browser: Browser | undefined;
  let folder = '';
  let timelines: StandaloneTimeline[] = [];
  before(async function () {
    this.timeout(300_000);
    ensureSystemPackages(['chromium']);
    browser = await startBrowser();
  });
  after(() => browser?.close());
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'ah-p-'))));
  afterEach(async () => {
    for (const timeline of timelines) await timeline.close();
    timelines = [];
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get browser() {
      return browser!;
    },
    get file() {
      return path.join(folder, 'session.ahr');
    },
    async open(records, { events, snapshotFiles, ...options } = {}) {
      const timed = sinceStart(records);
      writeFileSync(this.file, (await write(timed, 50)).bytes);
      writeSnapshotLines(folder, timed, snapshotFiles);
      if (events)
        writeFileSync(path.join(folder, 'session.events.jsonl'), `${events.join('\n')}\n`);
      return this.openFile(options);
    },
    async openFile(options) {
      const timeline = await StandaloneTimeline.open(browser!, this.file, options);
      timelines.push(timeline);
      return timeline;
    },
  };
}

/** Shifts times to those of a session. */
export function sinceStart(records: readonly AhrRecord[]): AhrRecord[] {
  return records.map((record) => ({ ...record, tsNs: record.tsNs + STARTED_NS }));
}

/** A line of `session.events.jsonl`. @param atMs since the session's start */
export function eventLine(atMs: number, event: Readonly<Record<string, unknown>>): string {
  const base = { source: 'hook', confidence: 'high', agent: 'claudeCode' };
  const timeNs = STARTED_NS + BigInt(atMs) * 1_000_000n;
  return JSON.stringify({ ...base, ...event, timeNs: 0 }).replace(
    '"timeNs":0',
    `"timeNs":${timeNs}`,
  );
}
