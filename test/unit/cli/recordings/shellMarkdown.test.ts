import assert from 'node:assert/strict';
import type { ShellCommand } from '../../../../src/cli/recordings/shellCommands.ts';
import { shellMarkdown } from '../../../../src/cli/recordings/shellMarkdown.ts';
import type { Pause } from '../../../../src/recording/read/pauses.ts';
import type { SnapshotLine } from '../../../../src/snapshots/common/snapshotLine.ts';

/** A command from byte 10 * n to byte 10 * n + 5. */
function command(n: number, values: Partial<ShellCommand> = {}): ShellCommand {
  const place = { fromByte: 10 * n, toByte: 10 * n + 5 };
  const startNs = BigInt(10 * n) * 10n ** 9n;
  return { line: `run ${n}`, exitCode: 0, output: [], startNs, ...place, ...values };
}

function snapshot(id: number, anchorByte: number): SnapshotLine {
  return { id: BigInt(id), anchorByte, files: { state: 'kept' } } as SnapshotLine;
}

const pause = (byteOffset: number, isResumed = true): Pause => {
  return { byteOffset, fromNs: 0n, toNs: 10n ** 9n, isResumed };
};

/** The sections, without the fences. */
async function sections(
  commands: readonly ShellCommand[],
  snapshots: readonly SnapshotLine[] = [],
  pauses: readonly Pause[] = [],
): Promise<string[]> {
  const text = shellMarkdown(commands, {
    snapshots,
    diffOf: (before, after) => Promise.resolve(`from ${before.id} to ${after.id}`),
    redact: (each) => each.replace('secret', '***'),
    timeText: (date) => String(date.getTime() / 1000),
    pauses,
  });
  const shown: string[] = [];
  for await (const each of text) shown.push(each.replace(/```\w*/g, '').trim());
  return shown;
}

describe('the commands of a shell as Markdown', () => {
  it('have their time, exit code and output', async () => {
    const failed = command(1, { exitCode: 2, output: ['a secret', 'b'] });
    const open = command(2, { exitCode: undefined, line: undefined });
    assert.deepEqual(await sections([failed, open]), [
      '## 1 · 10 · exit code 2',
      'run 1',
      'a ***\nb',
      '## 2 · 20',
    ]);
  });

  it('have the changes since their start, or since the command before them', async () => {
    // Snapshot 4 was taken while command 3 ran: command 2 had ended.
    const snapshots = [snapshot(1, 0), snapshot(2, 15), snapshot(3, 18), snapshot(4, 31)];
    const shown = await sections(
      [command(1), command(2), command(3)],
      [...snapshots, snapshot(5, 36)],
    );
    const diffs = shown.filter((each) => each.startsWith('from'));
    assert.deepEqual(diffs, ['from 1 to 2', 'from 3 to 4', 'from 4 to 5']);
  });

  it('have their common changes at the last one that shares a snapshot', async () => {
    const shown = await sections([command(1), command(2)], [snapshot(1, 0), snapshot(2, 26)]);
    assert.deepEqual(shown.slice(-2), ['run 2', 'from 1 to 2']);
    assert.equal(shown.filter((each) => each.startsWith('from')).length, 1);
  });

  it('have pauses between them, except those in their output', async () => {
    const pauses = [pause(5), pause(12), pause(17), pause(29, false)];
    const shown = await sections([command(1), command(2)], [], pauses);
    const line = '── not recorded for 1 s ──';
    const heads = shown.filter((each) => !each.startsWith('run'));
    assert.deepEqual(heads, [
      line,
      '## 1 · 10 · exit code 0',
      line,
      '## 2 · 20 · exit code 0',
      line,
    ]);
  });
});
