import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeExec } from '../../../src/platform/node/processes/exec.ts';
import type { Exec } from '../../../src/snapshots/common/ports.ts';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import type { GitProviderOptions } from '../../../src/snapshots/git/openGitProvider.ts';
import { filesInTree, openReal } from './gitWorkspace.ts';
import { useTemporaryFolder } from '../temporaryFolder.ts';

/**
 * A workspace `w` with a file `a`, and providers of it with failing ports. Call in a `describe`.
 */
export function useGitFaults() {
  const folder = useTemporaryFolder();
  const opened: SnapshotProvider[] = [];
  const at = (name: string) => path.join(folder.path, name);
  const put = (name: string, content: string) => {
    mkdirSync(path.dirname(at(`w/${name}`)), { recursive: true });
    writeFileSync(at(`w/${name}`), content);
  };
  beforeEach(() => put('a', 'a'));
  afterEach(() => opened.splice(0).forEach((provider) => provider.dispose()));

  async function open(more: Partial<GitProviderOptions> = {}): Promise<SnapshotProvider> {
    const provider = await openReal(at('w'), at('storage'), more);
    opened.push(provider);
    return provider;
  }

  const namesIn = async (provider: SnapshotProvider, ref: string) => [
    ...(await filesInTree(await provider.open(ref))).keys(),
  ];

  return { at, put, open, namesIn };
}

/** Runs git, but fails if the command line has all of these words and the condition holds. */
export function failingGit(words: string[], stderr: string, isWanted = () => true): Exec {
  return (program, args, options) =>
    words.every((word) => args.includes(word)) && isWanted()
      ? Promise.resolve({ exitCode: 128, stdout: new Uint8Array(), stderr })
      : nodeExec(program, args, options);
}

export function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
