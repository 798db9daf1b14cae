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

const decoder = new TextDecoder();

/** What is kept of a repository beside its files. */
export interface RepositoryState {
  /** Its top, relative to the workspace; `''` also when the workspace is a folder within it. */
  readonly path: string;
  readonly head: HeadState;
  readonly index: CapturedIndex | undefined;
  readonly operation: Operation | undefined;
  /** Files of the git folder that describe the operation, by object. */
  readonly gitFiles: readonly { readonly path: string; readonly oid: string }[];
  /** Commits that a reference under `refs/ah/` keeps in the repository; empty when it could not be written to. */
  readonly kept: readonly string[];
}

/** Keeps up with one repository of the user's; cheap when nothing happened to it. */
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

  /** What was read is read again the next time. */
  forget(): void {
    this.#signature = '';
    this.#state = undefined;
  }

  /** As it was read last. */
  get last(): RepositoryState | undefined {
    return this.#state;
  }

  async read(signal: AbortSignal): Promise<RepositoryState> {
    // The repository may change while it is read: what was read counts when nothing moved meanwhile.
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
    const signs = await Promise.all(watched.map((path) => this.#signOf(path)));
    return { operation, signature: JSON.stringify([operation, signs]) };
  }

  /** Somebody may have removed the references that keep our commits: then they are made again. */
  async #signOfKept({ kept }: RepositoryState): Promise<string> {
    const files = kept.map((oid) =>
      joinPath(this.repository.commonDir, keepReference(this.#store, oid)),
    );
    return (await Promise.all(files.map((path) => this.#signOf(path)))).join('|');
  }

  async #signOf(path: string): Promise<string> {
    try {
      const { inode, size, mtimeNs, ctimeNs } = await this.#ports.files.stat(path);
      return `${inode} ${size} ${mtimeNs} ${ctimeNs}`;
    } catch {
      return '';
    }
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
      // Untested: the file went after it was listed, since git ended the operation.
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
      // Untested: as above; git could not read such a file either.
      return undefined;
    }
  }
}

/** Files such as MERGE_HEAD hold whole object names, one on each line, and nothing else. */
function commitsNamedBy(text: string): string[] {
  const lines = text.trim().split('\n');
  return lines.every((line) => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(line)) ? lines : [];
}
