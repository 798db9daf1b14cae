import { exists } from '../exists.ts';
import { UserError } from '../../../base/errors.ts';
import { joinPath, parentOf } from '../../common/posixPath.ts';
import { errorCode } from '../../volume/errorCode.ts';
import { git, HARMLESS, PLAIN_ENVIRONMENT, runGit } from '../gitCommand.ts';
import type { GitRun } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import { ObjectReader } from './objectReader.ts';
import { concatenate } from '../worktree/repository.ts';
import type { TreeItem } from './treeFormat.ts';
import { formatTree, MODE_FOLDER, parseTree } from './treeFormat.ts';

const encoder = new TextEncoder();
/** Trees on the way to what changes are read again and again; so many names in them are some 20 megabytes. */
const MAX_CACHED_NAMES = 100_000;
/** Objects never change. */
const READ_ONLY = 0o400;

export type ObjectFormat = 'sha1' | 'sha256';

export interface DraftTree {
  readonly oid: string;
  readonly bytes: Uint8Array;
  readonly items: ReadonlyMap<string, TreeItem>;
}

/**
 * Settings of our own repository: names that other systems find dangerous are names here, every stat field counts, and
 * bytes stay as they are.
 */
const OWN_SETTINGS = [
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.fileMode=true',
  'core.symlinks=true',
  'core.ignoreCase=false',
  'core.precomposeUnicode=false',
  'core.protectNTFS=false',
  'core.protectHFS=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.preloadIndex=true',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'core.compression=1',
  'index.version=4',
  'index.threads=true',
  'advice.addEmbeddedRepo=false',
].flatMap((setting) => ['-c', setting]);

/** Over whatever a workspace's `.gitattributes` says: no line ends, filters, keywords or encodings are converted. */
const RAW_ATTRIBUTES = '* -text -crlf -ident -filter !eol !working-tree-encoding\n';

/** Our own repository: all that snapshots need, and nothing of it anywhere else. */
export class ObjectStore {
  readonly gitDir: string;
  readonly format: ObjectFormat;
  readonly reader: ObjectReader;
  readonly #ports: GitPorts;
  readonly #trees = new Map<string, ReadonlyMap<string, TreeItem>>();
  #names = 0;
  /** Folders of this store that were there a moment ago. */
  readonly #folders = new Set<string>();

  private constructor(ports: GitPorts, gitDir: string, format: ObjectFormat) {
    this.#ports = ports;
    this.gitDir = gitDir;
    this.format = format;
    this.reader = this.#startReader({});
  }

  /** Reads the objects of another store too, of the same format. It is only read. Dispose of it. */
  readerWith(objects: string): ObjectReader {
    return this.#startReader(alsoFrom(objects));
  }

  /**
   * Copies objects of another store of the same format, as they are packed there. It is only read: its own git would begin the pack
   * in it, and leave that when it is killed.
   * @param oids a line each
   */
  async packFrom(objects: string, oids: Uint8Array, signal: AbortSignal): Promise<void> {
    // No search for similar contents: that is for later, and for nobody who waits.
    const args = ['pack-objects', '-q', '--window=0', joinPath(this.gitDir, 'objects/pack/pack')];
    await this.git(args, { input: oids, signal, env: alsoFrom(objects) });
  }

  /** Opens the one in a storage folder, or makes it. */
  static async open(ports: GitPorts, storage: string, wanted: ObjectFormat): Promise<ObjectStore> {
    const gitDir = joinPath(storage, 'store.git');
    const { files, exec } = ports;
    if (!(await exists(ports, gitDir))) {
      // Made aside and put in place in one step, so that a half-made one is never met.
      const draft = joinPath(storage, `tmp/store-${ports.processes.own}`);
      await files.removeTree(draft);
      await files.makeFolder(draft);
      await git(exec, ['init', '-q', '--bare', '--template=', `--object-format=${wanted}`, draft], {
        cwd: draft,
        env: OWN_CONFIGURATION,
      });
      await files.makeFolder(joinPath(draft, 'info'));
      await files.write(joinPath(draft, 'info/attributes'), encoder.encode(RAW_ATTRIBUTES));
      try {
        await files.rename(draft, gitDir);
      } catch (error) {
        await files.removeTree(draft);
        if (!(await exists(ports, gitDir))) throw error;
      }
    }
    const config = new TextDecoder().decode(await files.read(joinPath(gitDir, 'config')));
    return new ObjectStore(
      ports,
      gitDir,
      /objectformat\s*=\s*sha256/i.test(config) ? 'sha256' : 'sha1',
    );
  }

  get oidBytes(): number {
    return this.format === 'sha256' ? 32 : 20;
  }

  /** Runs git on this store and no other configuration. */
  run(args: readonly string[], run: Partial<GitRun> = {}) {
    return runGit(this.#ports.exec, [...OWN_SETTINGS, ...args], this.#withEnvironment(run));
  }

  /** As {@link run}, and it must succeed. */
  git(args: readonly string[], run: Partial<GitRun> = {}) {
    return git(this.#ports.exec, [...OWN_SETTINGS, ...args], this.#withEnvironment(run));
  }

  hashOf(type: string, bytes: Uint8Array): string {
    return this.#ports.coding.hash(this.format, [objectHeader(type, bytes), bytes]);
  }

  async write(type: 'blob' | 'tree' | 'commit', bytes: Uint8Array): Promise<string> {
    const oid = this.hashOf(type, bytes);
    await this.#writeAs(oid, type, bytes);
    return oid;
  }

  async writeTree(items: ReadonlyMap<string, TreeItem>): Promise<string> {
    const draft = this.draftTree(items);
    await this.keepTree(draft);
    return draft.oid;
  }

  /** What a tree is going to be, so that many can be written at once. */
  draftTree(items: ReadonlyMap<string, TreeItem>): DraftTree {
    const bytes = formatTree(items);
    return { oid: this.hashOf('tree', bytes), bytes, items };
  }

  async keepTree({ oid, bytes, items }: DraftTree): Promise<void> {
    if (this.#trees.has(oid)) return;
    await this.#writeAs(oid, 'tree', bytes);
    this.#remember(oid, new Map(items));
  }

  /** A folder with nothing in it. */
  async emptyFolder(): Promise<TreeItem> {
    return { mode: MODE_FOLDER, oid: await this.writeTree(new Map()) };
  }

  async readTree(oid: string): Promise<ReadonlyMap<string, TreeItem>> {
    const known = this.#trees.get(oid);
    if (known) return known;
    const items = parseTree(await this.read(oid, 'tree'), this.oidBytes);
    this.#remember(oid, items);
    return items;
  }

  /** @throws UserError when it is not there */
  async read(oid: string, type: 'blob' | 'tree' | 'commit'): Promise<Uint8Array> {
    const found = await this.reader.read(oid);
    if (found?.type !== type) {
      throw new UserError('snapshot-missing', 'This snapshot is no longer there, or not whole.');
    }
    return found.bytes;
  }

  async has(oid: string): Promise<boolean> {
    return (await this.reader.info(oid)) !== undefined;
  }

  async setRef(name: string, oid: string): Promise<void> {
    await this.#put(`refs/${name}`, encoder.encode(`${oid}\n`));
  }

  /** What may be gone is no longer remembered, nor read from packs that were replaced. */
  forget(): void {
    this.#clearTrees();
    this.#folders.clear();
    this.reader.dispose();
  }

  dispose(): void {
    this.reader.dispose();
  }

  async #writeAs(oid: string, type: string, bytes: Uint8Array): Promise<void> {
    const path = `objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
    if (await exists(this.#ports, joinPath(this.gitDir, path))) return;
    const packed = await this.#ports.coding.deflate(
      concatenate([objectHeader(type, bytes), bytes]),
    );
    await this.#put(path, packed, READ_ONLY);
  }

  /** What a kill leaves half-written is not in the repository, where git would take it for a broken object or ref. */
  async #put(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
    const { files, scratch } = this.#ports;
    const file = joinPath(this.gitDir, path);
    const folder = parentOf(file);
    if (this.#folders.has(folder)) {
      try {
        return await files.write(file, bytes, mode, scratch);
      } catch (error) {
        // Packing removes folders that have nothing left in them.
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    }
    await files.makeFolder(folder);
    this.#folders.add(folder);
    await files.write(file, bytes, mode, scratch);
  }

  #startReader(env: Readonly<Record<string, string>>): ObjectReader {
    return new ObjectReader((option) =>
      this.#ports.start('git', [...HARMLESS, 'cat-file', option], {
        cwd: this.gitDir,
        env: { ...PLAIN_ENVIRONMENT, ...this.#environment(), ...env },
      }),
    );
  }

  #remember(oid: string, items: ReadonlyMap<string, TreeItem>): void {
    if (this.#names + items.size > MAX_CACHED_NAMES) this.#clearTrees();
    this.#names += items.size + 1;
    this.#trees.set(oid, items);
  }

  #clearTrees(): void {
    this.#trees.clear();
    this.#names = 0;
  }

  #environment(): Record<string, string | undefined> {
    return { ...OWN_CONFIGURATION, GIT_DIR: this.gitDir };
  }

  #withEnvironment(run: Partial<GitRun>): GitRun {
    return { ...run, cwd: run.cwd ?? this.gitDir, env: { ...this.#environment(), ...run.env } };
  }
}

/** Nothing of what the user or the machine has configured. */
const OWN_CONFIGURATION = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

/** Has git find objects of another store too. */
function alsoFrom(objects: string): Record<string, string> {
  const quoted = `"${objects.replace(/["\\]/g, '\\$&')}"`;
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted };
}

function objectHeader(type: string, bytes: Uint8Array): Uint8Array {
  return encoder.encode(`${type} ${bytes.length}\0`);
}
