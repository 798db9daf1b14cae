import { pathToBytes } from '../../common/pathBytes.ts';
import type { SnapshotTree } from '../../common/provider.ts';
import { nodeFiles } from '../../../platform/node/files/files.ts';

const EXECUTABLE = 0o111;

/** Reads the current files through the interface of a snapshot. */
export function workspaceTree(folder: string): SnapshotTree {
  const file = (path: string) => (path ? `${folder}/${path}` : folder);
  return {
    folder,
    stat: async (path) => {
      const { kind, size, mode } = await nodeFiles.stat(file(path));
      return { kind, size, mode, isExecutable: (mode & EXECUTABLE) !== 0 };
    },
    list: (path) => nodeFiles.list(file(path)),
    omissions: () => Promise.resolve([]),
    mayLack: () => Promise.resolve(false),
    read: async (path) => {
      const { kind } = await nodeFiles.stat(file(path));
      if (kind !== 'symlink') return nodeFiles.read(file(path));
      return pathToBytes(await nodeFiles.readLink(file(path)));
    },
  };
}
