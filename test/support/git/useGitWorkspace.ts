import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SnapshotProvider } from '../../../src/snapshots/common/provider.ts';
import { openReal, userGit } from './gitWorkspace.ts';
import { useTemporaryFolder } from '../temporaryFolder.ts';

/** A folder `work` for each test, and a provider with its storage beside it. */
export class GitWorkspace {
  readonly #folder = useTemporaryFolder();
  #provider: SnapshotProvider | undefined;

  constructor() {
    beforeEach(() => mkdir(this.path));
    afterEach(() => {
      this.#provider?.dispose();
      this.#provider = undefined;
    });
  }

  get path(): string {
    return this.beside('work');
  }

  /** The last opened provider. */
  get provider(): SnapshotProvider {
    return this.#provider!;
  }

  beside(name: string): string {
    return path.join(this.#folder.path, name);
  }

  async open(at = this.path): Promise<SnapshotProvider> {
    return (this.#provider = await openReal(at, this.beside('storage')));
  }

  async put(name: string, content: string): Promise<void> {
    const file = path.join(this.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async commit(name: string, content: string): Promise<void> {
    await this.put(name, content);
    await userGit(this.path, 'add', '.');
    await userGit(this.path, 'commit', '-q', '-m', name);
  }
}

export function useGitWorkspace(): GitWorkspace {
  return new GitWorkspace();
}
