import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AhrRecord } from '../../../src/recording/format/records.ts';
import { readPtyFixture } from '../../support/terminal/ptyFixture.ts';
import { journeyWorld } from '../harness/journeyHooks.ts';
import { placeSession, type PlacedSession } from '../harness/sessions/placeSession.ts';
import { setTheme, THEMES } from '../harness/editor/themes.ts';
import { TimelinePage } from '../harness/pages/timelinePage.ts';
import { useWorkspace } from '../harness/useWorkspace.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/images');
const NAME = 'gemini · build the demo';
/**
 * Positions at which the real agent got its task, wrote a file, ran a command and edited the file.
 */
const DEEDS = [
  { share: 0.12, kind: 'user.prompt', text: 'Create hello.txt, then build it' },
  { share: 0.2, kind: 'tool.call', tool: 'WriteFile', title: 'hello.txt', outcome: 'ok' },
  { share: 0.32, kind: 'approval.requested', tool: 'Shell', title: 'echo built > built.txt' },
  { share: 0.36, kind: 'tool.call', tool: 'Shell', title: 'echo built > built.txt', outcome: 'ok' },
  { share: 0.5, kind: 'tool.call', tool: 'Shell', title: 'npm test', outcome: 'failed' },
  { share: 0.62, kind: 'user.prompt', text: 'Write HELLO in capitals' },
  { share: 0.7, kind: 'tool.call', tool: 'Edit', title: 'hello.txt', outcome: 'ok' },
  { share: 0.85, kind: 'assistant.message', text: 'All done: both files are in place.' },
];

describe('screenshots of the timeline', function () {
  this.timeout(300_000);
  const workspace = useWorkspace('pool');

  for (const [name, theme] of Object.entries(THEMES)) {
    it(name, async () => {
      setTheme(theme);
      const { size, records } = readPtyFixture('gemini');
      const session = { name: NAME, size, records: withPauseAndSnapshots(records, size) };
      writeEvents(await placeSession(journeyWorld().sandbox, workspace.folder, session));
      const workbench = await workspace.open();
      await workbench.page
        .locator('.activitybar .action-label[aria-label^="AH Time Travel"]')
        .click();
      const timeline = await TimelinePage.open(workbench, NAME);
      await timeline.frame.locator('.moment-title', { hasText: /^Edit hello.txt/ }).click();
      await timeline.settled();
      await timeline.press('/');
      await workbench.page.keyboard.type('built');
      await timeline.settled();
      await timeline.frame.locator('.marker').nth(4).hover();
      await workbench.page.screenshot({ path: path.join(FOLDER, `timeline-${name}.png`) });
    });
  }
});

function withPauseAndSnapshots(
  records: readonly Extract<AhrRecord, { kind: 'data' }>[],
  size: { cols: number; rows: number },
): AhrRecord[] {
  const all: AhrRecord[] = [{ kind: 'resize', tsNs: 0n, ...size }];
  const pauseAt = Math.floor(records.length * 0.55);
  records.forEach((record, index) => {
    // Idle time.
    const tsNs = record.tsNs + (index < pauseAt ? 0n : 540_000_000_000n);
    all.push({ ...record, tsNs });
    const anchorByte = record.startByteOffset + record.bytes.length;
    const deed = DEEDS.find(({ share }) => Math.floor(records.length * share) === index - 2);
    if (deed?.outcome === undefined) return;
    const label = `after ${deed.tool} ${deed.title}`;
    all.push({ kind: 'snapshot', tsNs, snapshotId: BigInt(index), anchorByte, label });
  });
  return all;
}

function writeEvents({ recording, totalBytes, startedAtNs }: PlacedSession): void {
  const base = { source: 'hook', confidence: 'high', agent: 'gemini' };
  const { records } = readPtyFixture('gemini');
  const lines = DEEDS.flatMap(({ share, outcome, ...deed }, index) => {
    const record = records[Math.floor(records.length * share)]!;
    const pauseNs = share < 0.55 ? 0n : 540_000_000_000n;
    const byte = Math.min(totalBytes, record.startByteOffset + record.bytes.length);
    const callId = `call-${index}`;
    const event = { ...base, ...deed, id: `e${index}`, byte, callId, action: 'shell', input: {} };
    const result = { ...base, id: `r${index}`, kind: 'tool.result', byte, callId, tool: deed.tool };
    const done = { ...result, outcome, summary: '', durationMs: 1400 * (index + 1), files: [] };
    return (outcome === undefined ? [event] : [event, done]).map((each) =>
      JSON.stringify({ ...each, timeNs: 0 }).replace(
        '"timeNs":0',
        `"timeNs":${startedAtNs + record.tsNs + pauseNs}`,
      ),
    );
  });
  const file = path.join(path.dirname(recording), 'session.events.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
}
