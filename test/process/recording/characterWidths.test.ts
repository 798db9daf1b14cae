import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeSessionMeta } from '../../../src/sessions/node/sessionMeta.ts';
import { MARKED_EMOJI, MARKED_ROW } from '../../support/terminal/widthSession.ts';
import { useSandbox } from '../../support/useSandbox.ts';

describe('the widths of a recorded terminal', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const script = `printf '${MARKED_EMOJI.replaceAll('\x1b', '\\033')}'`;

  /** The first line, as each command prints it that prints a recording. */
  async function printed(recording: string): Promise<string[]> {
    const ways = [
      ['replay', '--fast', '--no-colors', '--session', recording],
      ['replay', '--at', '@1000', '--no-colors', '--session', recording],
      ['branch-points', '--format', 'json', '--session', recording],
      ['transcript', '--session', recording],
    ];
    const results: string[] = [];
    const rows = Object.values(MARKED_ROW);
    for (const way of ways) {
      const { stdout, stderr } = await sandbox.current.run('agent', ...way);
      const text = stdout.toString();
      assert.equal(stderr.includes('ah:'), false, stderr);
      const lines = text.split('\n').map((line) => line.trimEnd());
      results.push(
        text.startsWith('{')
          ? firstText(text)
          : (lines.find((line) => rows.includes(line)) ?? text),
      );
    }
    return results;
  }

  for (const version of ['6', '11'] as const) {
    it(`are kept and used by every print, with ${version}`, async () => {
      const options = version === '6' ? { unicodeVersion: version } : {};
      const cmd = ['/bin/sh', '-c', script];
      const session = await sandbox.current.launch(cmd, options);
      await sandbox.current.settled();
      const { folder, meta } = await session.session();
      assert.equal(meta.unicodeVersion, version);
      const row = MARKED_ROW[version];
      assert.deepEqual(await printed(session.recording), [row, row, row, row]);
      // A copy belongs to no session, so nothing stores its widths.
      const copy = path.join(sandbox.current.folder, 'copy.ahr');
      copyFileSync(session.recording, copy);
      const row11 = MARKED_ROW['11'];
      assert.deepEqual(await printed(copy), [row11, row11, row11, row11]);
      // Sessions of older versions have no such field.
      const { unicodeVersion, ...old } = meta;
      await writeSessionMeta(folder, old);
      assert.ok(unicodeVersion);
      const row6 = MARKED_ROW['6'];
      assert.deepEqual(await printed(session.recording), [row6, row6, row6, row6]);
    });
  }

  it('are 11 when the command line records', async () => {
    const { exitCode, stderr } = await sandbox.current.run('agent', 'record', '--', 'true');
    assert.equal(exitCode, 0, stderr);
    const [session] = await sandbox.current.catalogue.list();
    const text = readFileSync(path.join(session!.folder, 'session.meta.json'), 'utf8');
    assert.match(text, /"unicodeVersion": ?"11"/);
  });
});

function firstText(points: string): string {
  const { items } = JSON.parse(points) as { items: readonly { text?: string }[] };
  return items.find(({ text }) => text !== undefined)?.text ?? '';
}
