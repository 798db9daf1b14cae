import { exists } from '../exists.ts';
import { errorCode, UserError } from '../../../base/errors.ts';
import { joinPath, parentOf } from '../../common/posixPath.ts';
import { git, HARMLESS, PLAIN_ENVIRONMENT, runGit } from '../gitCommand.ts';
import type { GitRun } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import { ObjectReader } from './objectReader.ts';
import { concatenate } from '../../../base/bytes.ts';
import type { TreeItem } from './treeFormat.ts';
import { formatTree, MODE_FOLDER, parseTree } from './treeFormat.ts';

const encoder = new TextEncoder();
/**
 * Limits the cache of trees, which are read repeatedly near changes. This many names take 20 MB.
 */
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
 * Settings of our repository: file names that are dangerous on other systems are allowed, git
 * compares all stat fields, and content is not converted.
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

/** Overrides the workspace's `.gitattributes`: nothing is converted. */
const RAW_ATTRIBUTES = '* -text -crlf -ident -filter !eol !working-tree-encoding\n';

/** Our repository, which contains everything that the snapshots need. */
export class ObjectStore {
  readonly gitDir: string;
  readonly format: ObjectFormat;
  readonly reader: ObjectReader;
  readonly #ports: GitPorts;
  readonly #trees = new Map<string, ReadonlyMap<string, TreeItem>>();
  #names = 0;
  /** Folders of this store that recently existed. */
  readonly #folders = new Set<string>();

  private constructor(ports: GitPorts, gitDir: string, format: ObjectFormat) {
    this.#ports = ports;
    this.gitDir = gitDir;
    this.format = format;
    this.reader = this.#startReader({});
  }

  /**
   * Returns a reader for this store that also finds the objects of another store of the same
   * format, without modifying that store. Dispose of the reader.
   */
  readerWith(objects: string): ObjectReader {
    return this.#startReader(alsoFrom(objects));
  }

  /**
   * Copies objects of another store of the same format, in the form in which they are packed there.
   * git runs in our store: in the other store, it would leave its pack behind if killed.
   * @param oids one per line
   */
  async packFrom(objects: string, oids: Uint8Array, signal: AbortSignal): Promise<void> {
    // Don't search for similar content now; later packing does that.
    const args = ['pack-objects', '-q', '--window=0', joinPath(this.gitDir, 'objects/pack/pack')];
    await this.git(args, { input: oids, signal, env: alsoFrom(objects) });
  }

  /** Opens the store in a storage folder, or creates it. */
  static async open(ports: GitPorts, storage: string, wanted: ObjectFormat): Promise<ObjectStore> {
    const gitDir = joinPath(storage, 'store.git');
    const { files, exec } = ports;
    if (!(await exists(ports, gitDir))) {
      // Create the store as a draft and move it into place, so that an incomplete store is never
      // seen.
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

  /** Runs git on this store, without the configuration of the user and the machine. */
  run(args: readonly string[], run: Partial<GitRun> = {}) {
    return runGit(this.#ports.exec, [...OWN_SETTINGS, ...args], this.#withEnvironment(run));
  }

  /** Like {@link run}, for commands that must succeed. */
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

  /** Prepares a tree for {@link keepTree}, so that many trees can be written at once. */
  draftTree(items: ReadonlyMap<string, TreeItem>): DraftTree {
    const bytes = formatTree(items);
    return { oid: this.hashOf('tree', bytes), bytes, items };
  }

  async keepTree({ oid, bytes, items }: DraftTree): Promise<void> {
    if (this.#trees.has(oid)) return;
    await this.#writeAs(oid, 'tree', bytes);
    this.#remember(oid, new Map(items));
  }

  /** Returns a folder without content. */
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

  /** @throws UserError if the object is missing */
  async read(oid: string, type: 'blob' | 'tree' | 'commit'): Promise<Uint8Array> {
    const found = await this.reader.read(oid);
    if (found?.type !== type) {
      throw new UserError('snapshot-missing', 'This snapshot is missing or incomplete.');
    }
    return found.bytes;
  }

  async has(oid: string): Promise<boolean> {
    return (await this.reader.info(oid)) !== undefined;
  }

  async setRef(name: string, oid: string): Promise<void> {
    await this.#put(`refs/${name}`, encoder.encode(`${oid}\n`));
  }

  /**
   * Forgets cached objects, which may have been removed, and packs, which may have been replaced.
   */
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

  /**
   * Writes the draft outside of the repository: inside, git would take a partial file for a broken
   * object or reference.
   */
  async #put(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
    const { files, scratch } = this.#ports;
    const file = joinPath(this.gitDir, path);
    const folder = parentOf(file);
    if (this.#folders.has(folder)) {
      try {
        return await files.write(file, bytes, mode, scratch);
      } catch (error) {
        // Packing removes folders that became empty.
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

/** Ignores the configuration of the user and the machine. */
const OWN_CONFIGURATION = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

/** Makes git find objects of another store too. */
function alsoFrom(objects: string): Record<string, string> {
  const quoted = `"${objects.replace(/["\\]/g, '\\$&')}"`;
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted };
}

function objectHeader(type: string, bytes: Uint8Array): Uint8Array {
  return encoder.encode(`${type} ${bytes.length}\0`);
}
