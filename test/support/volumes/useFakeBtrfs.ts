import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SystemClock } from '../../../src/platform/node/systemClock.ts';
import type { Files } from '../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import { detectBtrfs } from '../../../src/snapshots/btrfs/detectBtrfs.ts';
import { useTemporaryFolder } from '../temporaryFolder.ts';
import { FakeBtrfs, type Answer, type Interceptor } from './fakeVolume.ts';

const { signal } = new AbortController();

/** A workspace `project` with a file in a subvolume of a fake Btrfs. Call in a `describe`. */
export function useFakeBtrfs() {
  const folder = useTemporaryFolder();
  let btrfs: FakeBtrfs;
  const top = () => path.join(folder.path, 'volume');
  const workspace = () => path.join(top(), 'project');
  const privateFolder = () => path.join(folder.path, 'private');
  const store = () => path.join(privateFolder(), '.ah-snapshots');
  const clone = () => path.join(folder.path, 'clones/one');

  beforeEach(() => {
    mkdirSync(workspace(), { recursive: true });
    writeFileSync(path.join(workspace(), 'file'), 'before');
    btrfs = new FakeBtrfs(top());
  });

  function detect(more: Partial<Parameters<typeof detectBtrfs>[0]> = {}) {
    const processes = { own: 'me', isAlive: () => Promise.resolve(true) };
    return detectBtrfs({
      workspace: workspace(),
      privateFolder: privateFolder(),
      exec: btrfs.exec,
      files: btrfs.files,
      processes,
      clock: new SystemClock(),
      ...more,
    });
  }

  async function open(files: Partial<Files> = {}): Promise<SnapshotProvider> {
    const detection = await detect({ files: { ...btrfs.files, ...files } });
    assert.ok('provider' in detection, 'refusal' in detection ? detection.refusal : '');
    return detection.provider;
  }

  const take = async (provider: SnapshotProvider, name: string) =>
    (await provider.take({ name, label: '', signal })).ref;

  const readAll = async (provider: SnapshotProvider, ref: string) =>
    Buffer.from(await (await provider.open(ref)).read('file')).toString();

  function answering(start: string, answer: Answer): Interceptor {
    return (args) => (args.join(' ').startsWith(start) ? answer : undefined);
  }

  return {
    folder,
    top,
    workspace,
    privateFolder,
    store,
    clone,
    detect,
    open,
    take,
    readAll,
    answering,
    get btrfs(): FakeBtrfs {
      return btrfs;
    },
  };
}
