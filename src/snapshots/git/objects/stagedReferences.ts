import { joinPath, parentOf } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';

const encoder = new TextEncoder();
/** Whether a reference must survive a power cut: those to snapshots; others are a cache. */
const isDurable = (name: string) => /^(snapshots|scrubbed)\//.test(name);

/** References that are written once the objects that they name are on disk. */
export class StagedReferences {
  readonly #ports: GitPorts;
  readonly #gitDir: string;
  readonly #commits = new Map<string, string>();

  constructor(ports: GitPorts, gitDir: string) {
    this.#ports = ports;
    this.#gitDir = gitDir;
  }

  set(name: string, oid: string): void {
    this.#commits.set(name, oid);
  }

  clear(): void {
    this.#commits.clear();
  }

  /** Call when a snapshot failed: its reference must not be written. */
  forgetSnapshots(): void {
    for (const name of this.#commits.keys()) if (isDurable(name)) this.#commits.delete(name);
  }

  /** Puts drafts of the references to snapshots on disk. {@link publish} makes them visible. */
  async writeDrafts(): Promise<void> {
    for (const { draft, oid } of this.#durable()) {
      await this.#ports.files.write(draft, encoder.encode(`${oid}\n`));
      await this.#ports.files.sync(draft);
    }
  }

  /** Call after {@link writeDrafts}, once the objects are on disk. */
  async publish(): Promise<void> {
    const { files } = this.#ports;
    const durable = this.#durable();
    for (const folder of new Set(durable.map(({ file }) => parentOf(file)))) {
      await files.makeFolder(folder);
      for (const { file, draft } of durable)
        if (parentOf(file) === folder) await files.rename(draft, file);
      await files.sync(folder);
    }
    for (const [name, oid] of [...this.#commits]) {
      this.#commits.delete(name);
      if (!isDurable(name)) await this.#writeToCache(name, oid);
    }
  }

  #durable(): { file: string; oid: string; draft: string }[] {
    return [...this.#commits].flatMap(([name, oid], at) =>
      isDurable(name)
        ? [{ file: this.#file(name), oid, draft: joinPath(this.#ports.scratch, `reference-${at}`) }]
        : [],
    );
  }

  async #writeToCache(name: string, oid: string): Promise<void> {
    const { files, scratch } = this.#ports;
    const file = this.#file(name);
    await files.makeFolder(parentOf(file));
    // The draft is outside of the repository, where git would take it for a broken reference.
    await files.write(file, encoder.encode(`${oid}\n`), undefined, scratch);
  }

  #file(name: string): string {
    return joinPath(this.#gitDir, `refs/${name}`);
  }
}
