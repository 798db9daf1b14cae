import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import {
  writeSessionMeta,
  type SessionMeta,
} from '../../../../../src/sessions/node/sessionMeta.ts';
import { agentMoments } from '../../../../../src/timeline/node/moments/agentMoments.ts';
import {
  SessionPaths,
  sessionPathsOf,
} from '../../../../../src/timeline/node/moments/sessionPaths.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';
import { asked, call, result } from '../../../agents/common/someEvents.ts';

describe('the paths of a session', () => {
  const folder = useTemporaryFolder();

  it('are shown relative to its folders in titles, details and files', () => {
    const paths = new SessionPaths(['/home/me', '/home/me/app', '/']);
    const shown = (title: string, files: readonly string[]) => {
      const input = { file_path: '/home/me/app/src/a.ts' };
      const moments = agentMoments(
        [
          { ...call('c', 'Edit', input, { atMs: 1 }), title },
          { ...asked('c', 'Edit', input, { atMs: 2 }), title },
          result('c', { files, summary: 'Updated /home/me/app/src/a.ts.' }, { atMs: 3 }),
        ],
        paths,
      );
      return moments.map((moment) => [moment.title, moment.detail]);
    };
    assert.deepEqual(shown('/home/me/app/src/a.ts', ['/home/me/app/src/a.ts']), [
      ['Edit src/a.ts', 'src/a.ts'],
      ['src/a.ts', 'allowed'],
    ]);
    assert.deepEqual(shown('/home/me/notes.md', [])[0], ['Edit notes.md', 'Updated src/a.ts.']);
    assert.equal(shown('a', ['/etc/hosts'])[0]?.[1], '/etc/hosts');
  });

  it('are shortened only where they are paths of these folders', () => {
    const paths = new SessionPaths(['/a/b']);
    for (const [text, shown] of [
      ['cat /a/b/c.ts "/a/b/d e" --out=/a/b/f', 'cat c.ts "d e" --out=f'],
      ['cat /x/a/b/c.ts /a/bc/d', 'cat /x/a/b/c.ts /a/bc/d'],
      ['cd /a/b && ls /a/b/', 'cd /a/b && ls /a/b/'],
    ] as const)
      assert.equal(paths.text(text), shown);
    assert.equal(paths.path('/a/b/c'), 'c');
    assert.equal(paths.path('/a/b'), '/a/b');
  });

  it('come from its metadata, links included, and from the agent', async () => {
    const real = path.join(folder.path, 'real');
    const link = path.join(folder.path, 'link');
    mkdirSync(real);
    symlinkSync(real, link);
    const meta = {
      version: 1,
      id: 's',
      state: 'finished',
      startedAtNs: 10n ** 18n,
      cmd: ['claude'],
      cwd: link,
      workspace: '/gone/branch',
      cols: 80,
      rows: 24,
      recording: '/r',
      hostSocket: '',
    } as unknown as SessionMeta;
    await writeSessionMeta(folder.path, meta);
    const started = {
      ...call('c', 'Edit', {}, { atMs: 1 }),
      kind: 'session.started',
      reason: 'resume',
      cwd: '/the/original',
    } as const;
    const paths = await sessionPathsOf(folder.path, [started]);
    const own = [link, realpathSync(real), '/gone/branch', '/the/original'];
    assert.deepEqual(
      own.map((each) => paths.path(`${each}/a.ts`)),
      own.map(() => 'a.ts'),
    );
    const none = await sessionPathsOf(path.join(folder.path, 'none'), []);
    assert.equal(none.path('/the/original/a'), '/the/original/a');
  });
});
