import type { GitPorts } from '../gitPorts.ts';
import { headFiles, readHead } from './headState.ts';
import type { HeadState } from './headState.ts';
import { captureIndex } from '../index/indexState.ts';
import type { CapturedIndex } from '../index/indexState.ts';
import { keepCommits, keepReference } from '../objects/keptCommits.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { operationFiles, operationOf } from './operationState.ts';
import type { Operation } from './operationState.ts';
import type { UserRepository } from './repository.ts';
import { joinPath } from '../../common/posixPath.ts';
import { statFingerprint } from '../scan/statFingerprint.ts';

const decoder = new TextDecoder();

/** What a snapshot stores of a repository besides its files. */
export interface RepositoryState {
  /**
   * The repository's top folder, relative to the workspace; `''` also if it is above the workspace.
   */
  readonly path: string;
  readonly head: HeadState;
  readonly index: CapturedIndex | undefined;
  readonly operation: Operation | undefined;
  /**
   * Files of the git folder that describe the operation, with the objects that hold their content.
   */
  readonly gitFiles: readonly { readonly path: string; readonly oid: string }[];
  /**
   * Commits kept by a reference under `refs/ah/` in the repository; empty if the repository was not
   * writable.
   */
  readonly kept: readonly string[];
}

/** Tracks the state of one user repository; cheap if nothing changed. */
export class RepositoryWatch {
  readonly repository: UserRepository;
  readonly #ports: GitPorts;
  readonly #store: ObjectStore;
  readonly #path: string;
  #signature = '';
  #keptSignature = '';
  #state: RepositoryState | undefined;

  constructor(ports: GitPorts, store: ObjectStore, repository: UserRepository, path: string) {
    this.#ports = ports;
    this.#store = store;
    this.repository = repository;
    this.#path = path;
  }

  /** Forces the next read to capture everything again. */
  forget(): void {
    this.#signature = '';
    this.#state = undefined;
  }

  /** The state as of the last read. */
  get last(): RepositoryState | undefined {
    return this.#state;
  }

  async read(signal: AbortSignal): Promise<RepositoryState> {
    // Repeat until nothing changed while the repository was read.
    for (let attempt = 0; ; attempt += 1) {
      const { signature, operation } = await this.#look();
      if (this.#state && signature === this.#signature) {
        if ((await this.#signOfKept(this.#state)) === this.#keptSignature) return this.#state;
      }
      const state = await this.#capture(operation, signal);
      const after = await this.#look();
      if (after.signature === signature || attempt === 4) {
        this.#signature = after.signature === signature ? signature : '';
        this.#state = state;
        this.#keptSignature = await this.#signOfKept(state);
        return state;
      }
    }
  }

  async #look(): Promise<{ signature: string; operation: string[] }> {
    const { gitDir } = this.repository;
    const [operation, head] = await Promise.all([
      operationFiles(this.#ports, gitDir),
      headFiles(this.#ports, this.repository),
    ]);
    const watched = [
      joinPath(gitDir, 'index'),
      ...head,
      ...operation.map((path) => joinPath(gitDir, path)),
    ];
    const fingerprints = await Promise.all(
      watched.map((path) => statFingerprint({ ports: this.#ports }, path)),
    );
    return { operation, signature: JSON.stringify([operation, fingerprints]) };
  }

  /**
   * Returns a text that differs if another program removed the references that keep our commits:
   * then they are created again.
   */
  async #signOfKept({ kept }: RepositoryState): Promise<string> {
    const files = kept.map((oid) =>
      joinPath(this.repository.commonDir, keepReference(this.#store, oid)),
    );
    return (
      await Promise.all(files.map((path) => statFingerprint({ ports: this.#ports }, path)))
    ).join('|');
  }

  async #capture(operation: string[], signal: AbortSignal): Promise<RepositoryState> {
    const head = await readHead(this.repository);
    const index = await captureIndex(
      { ports: this.#ports, store: this.#store, repository: this.repository, head, signal },
      this.#state?.index,
    );
    const gitFiles: { path: string; oid: string; text: string }[] = [];
    for (const path of operation) {
      const bytes = await this.#readIfThere(joinPath(this.repository.gitDir, path));
      // Untested: git has ended the operation and deleted the file since it was listed.
      if (!bytes) continue;
      const oid = await this.#store.write('blob', bytes);
      gitFiles.push({ path, oid, text: decoder.decode(bytes.subarray(0, 4096)) });
    }
    const commits = [head.commit ?? '', ...gitFiles.flatMap(({ text }) => commitsNamedBy(text))];
    const kept = await keepCommits(this.#store, this.repository, commits.filter(Boolean));
    return {
      path: this.#path,
      head,
      index,
      operation: operationOf(operation),
      gitFiles: gitFiles.map(({ path, oid }) => ({ path, oid })),
      kept,
    };
  }

  async #readIfThere(path: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#ports.files.read(path);
    } catch {
      // Untested: the file was deleted after it was listed, or git can't read it either.
      return undefined;
    }
  }
}

/** Files such as MERGE_HEAD contain one object ID per line and nothing else. */
function commitsNamedBy(text: string): string[] {
  const lines = text.trim().split('\n');
  return lines.every((line) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(line)) ? lines : [];
}
