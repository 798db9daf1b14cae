import { UserError } from '../../../base/errors.ts';
import { joinPath } from '../../common/posixPath.ts';
import { git, HARMLESS, PLAIN_ENVIRONMENT, runGit } from '../gitCommand.ts';
import type { ExecResult } from '../../common/ports.ts';
import type { GitRun } from '../gitCommand.ts';
import { readLost } from './lostSnapshots.ts';
import type { GitPorts } from '../gitPorts.ts';
import { ObjectReader, type StoredObject } from './objectReader.ts';
import type { ObjectType } from './packFile.ts';
import { StagedObjects } from './stagedObjects.ts';
import { StagedReferences } from './stagedReferences.ts';
import { openSkeleton, OWN_CONFIGURATION, type ObjectFormat } from './storeSkeleton.ts';
import { TreeCache } from './treeCache.ts';
import type { TreeItem } from './treeFormat.ts';
import { formatTree, MODE_FOLDER, parseTree } from './treeFormat.ts';

const encoder = new TextEncoder();

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

/** Git syncs what it writes into the store itself: packs. */
const SYNC_ALL = ['-c', 'core.fsync=all'];
/** Staged objects are synced when they are published. A torn index would lead to wrong snapshots. */
const SYNC_INDEX = ['-c', 'core.fsync=index,-pack,-pack-metadata'];

/**
 * Our repository, which contains everything that the snapshots need. Objects and references that
 * are written are staged, until {@link publish} puts them on disk: objects first.
 */
export class ObjectStore {
  readonly gitDir: string;
  readonly format: ObjectFormat;
  readonly reader: ObjectReader;
  readonly #ports: GitPorts;
  readonly #trees = new TreeCache();
  readonly #staged: StagedObjects;
  #isStaging = false;
  /** Reads objects from staged files. */
  #stagedReader: ObjectReader | undefined;
  readonly #references: StagedReferences;

  private constructor(ports: GitPorts, gitDir: string, format: ObjectFormat) {
    this.#ports = ports;
    this.gitDir = gitDir;
    this.format = format;
    this.reader = this.#startReader({});
    this.#staged = new StagedObjects(ports, format);
    this.#references = new StagedReferences(ports, gitDir);
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
    const args = ['pack-objects', '-q', '--window=0', joinPath(this.#staged.folder, 'pack/pack')];
    this.#staged.expectFiles();
    const env = alsoFrom(joinPath(this.gitDir, 'objects'), objects);
    await this.git(args, { input: oids, signal, env });
  }

  /** Opens the store in a storage folder. Creates it, or mends it if it is half-made. */
  static async open(ports: GitPorts, storage: string, wanted: ObjectFormat): Promise<ObjectStore> {
    const gitDir = joinPath(storage, 'store.git');
    return new ObjectStore(ports, gitDir, await openSkeleton(ports, gitDir, wanted));
  }

  /**
   * Runs a task that writes objects, and publishes them, even if the task fails: our indexes refer
   * to them. The caller holds the lock.
   * @param onDidDiscard called if they can't be published: they are lost
   */
  async staging<T>(task: () => Promise<T>, onDidDiscard: () => void): Promise<T> {
    await this.#staged.begin();
    this.#isStaging = true;
    try {
      const result = await task();
      await this.publish();
      return result;
    } catch (error) {
      this.#references.forgetSnapshots();
      await this.publish().catch(async () => {
        await this.discard();
        onDidDiscard();
      });
      throw error;
    } finally {
      this.#isStaging = false;
      await this.#staged.discard();
    }
  }

  /** Writes the staged objects and then the references. They are on disk when this returns. */
  async publish(): Promise<void> {
    const packLoose = async (oids: readonly string[], pack: string) => {
      const input = encoder.encode(oids.map((oid) => `${oid}\n`).join(''));
      await this.gitOnFiles(['pack-objects', '-q', '--window=0', pack], { input });
    };
    await this.#staged.publish(joinPath(this.gitDir, 'objects'), packLoose, () =>
      this.#references.writeDrafts(),
    );
    this.#stopStagedReader();
    await this.#references.publish();
  }

  /** Removes the staged objects and references. */
  async discard(): Promise<void> {
    this.#references.clear();
    this.#stopStagedReader();
    this.#trees.clear();
    await this.#staged.begin();
  }

  get oidBytes(): number {
    return this.format === 'sha256' ? 32 : 20;
  }

  /**
   * Runs a git command that reads objects, without the configuration of the user and the machine.
   * It must succeed.
   */
  async git(args: readonly string[], run: Partial<GitRun> = {}) {
    await this.#staged.spill();
    return this.gitOnFiles(args, run);
  }

  /** Like {@link git}, for commands on files and indexes: they see only the objects of git. */
  gitOnFiles(args: readonly string[], run: Partial<GitRun> = {}) {
    const settings = [...OWN_SETTINGS, ...(this.#isStaging ? SYNC_INDEX : SYNC_ALL)];
    return git(this.#ports.exec, [...settings, ...args], this.#withEnvironment(run));
  }

  /** Like {@link git}, for commands that may fail. */
  async attempt(args: readonly string[]): Promise<ExecResult> {
    await this.#staged.spill();
    return runGit(this.#ports.exec, [...OWN_SETTINGS, ...args], this.#withEnvironment({}));
  }

  /** Call before a command that writes objects. */
  expectObjectsOfGit(): void {
    this.#staged.expectFiles();
  }

  /** Publishes everything, then runs a git command that rewrites the store itself. */
  async rewrite(args: readonly string[]) {
    await this.publish();
    return this.#rewriteNow(args);
  }

  /** Safe at any time, because nothing is lost. */
  async mergeSmallPacks(): Promise<void> {
    await this.#rewriteNow(['repack', '--geometric=2', '-d', '-q']);
  }

  #rewriteNow(args: readonly string[]) {
    const env = { ...OWN_CONFIGURATION, GIT_DIR: this.gitDir };
    return git(this.#ports.exec, [...OWN_SETTINGS, ...SYNC_ALL, ...args], {
      cwd: this.gitDir,
      env,
    });
  }

  async packCount(): Promise<number> {
    const entries = await this.#ports.files.list(joinPath(this.gitDir, 'objects/pack'));
    return entries.filter(({ name }) => name.endsWith('.idx')).length;
  }

  hashOf(type: string, bytes: Uint8Array): string {
    return this.#ports.coding.hash(this.format, [objectHeader(type, bytes), bytes]);
  }

  async write(type: ObjectType, bytes: Uint8Array): Promise<string> {
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
    this.#trees.add(oid, new Map(items));
  }

  /** Returns a folder without content. */
  async emptyFolder(): Promise<TreeItem> {
    return { mode: MODE_FOLDER, oid: await this.writeTree(new Map()) };
  }

  async readTree(oid: string): Promise<ReadonlyMap<string, TreeItem>> {
    const known = this.#trees.get(oid);
    if (known) return known;
    const items = parseTree(await this.read(oid, 'tree'), this.oidBytes);
    this.#trees.add(oid, items);
    return items;
  }

  /** @throws UserError if the object is missing */
  async read(oid: string, type: ObjectType): Promise<Uint8Array> {
    const found = await this.readAny(oid);
    if (found?.type !== type) {
      throw new UserError('snapshot-missing', 'This snapshot is missing or incomplete.');
    }
    return found.bytes;
  }

  /** Returns undefined if there is no such object, or if it is damaged. */
  async readAny(oid: string): Promise<StoredObject | undefined> {
    const found = (await this.#staged.get(oid)) ?? (await this.reader.read(oid));
    return found ?? this.#readerOfStaged()?.read(oid);
  }

  /** Returns the size of an object, if there is one. */
  async sizeOf(oid: string): Promise<number | undefined> {
    const found = (await this.reader.info(oid)) ?? (await this.#readerOfStaged()?.info(oid));
    return found?.size ?? (await this.#staged.get(oid))?.bytes.length;
  }

  async has(oid: string): Promise<boolean> {
    return this.#staged.has(oid) || (await this.sizeOf(oid)) !== undefined;
  }

  /** Whether a snapshot of this name was lost in a power cut. */
  async isLost(name: string): Promise<boolean> {
    return (await readLost(this.#ports, this.gitDir)).includes(name);
  }

  /** Sets a reference when the objects are published. */
  setRef(name: string, oid: string): void {
    this.#references.set(name, oid);
  }

  /**
   * Forgets cached objects, which may have been removed, and packs, which may have been replaced.
   */
  forget(): void {
    this.#trees.clear();
    this.reader.dispose();
  }

  dispose(): void {
    this.#stopStagedReader();
    this.reader.dispose();
  }

  async #writeAs(oid: string, type: ObjectType, bytes: Uint8Array): Promise<void> {
    if (!this.#isStaging) throw new Error('Objects are written only while staging.');
    // Git knows the empty tree without having it.
    const isKnownAnyway = type === 'tree' && bytes.length === 0;
    if (!isKnownAnyway && (await this.has(oid))) return;
    await this.#staged.add(oid, type, bytes);
  }

  #readerOfStaged(): ObjectReader | undefined {
    if (!this.#isStaging || !this.#staged.hasFiles) return undefined;
    return (this.#stagedReader ??= this.readerWith(this.#staged.folder));
  }

  #stopStagedReader(): void {
    this.#stagedReader?.dispose();
    this.#stagedReader = undefined;
  }

  #startReader(env: Readonly<Record<string, string>>): ObjectReader {
    return new ObjectReader((option) =>
      this.#ports.start('git', [...HARMLESS, 'cat-file', option], {
        cwd: this.gitDir,
        env: { ...PLAIN_ENVIRONMENT, ...this.#environment(), ...env },
      }),
    );
  }

  #environment(): Record<string, string | undefined> {
    return { ...OWN_CONFIGURATION, GIT_DIR: this.gitDir };
  }

  #withEnvironment(run: Partial<GitRun>): GitRun {
    const staged = this.#isStaging && {
      GIT_OBJECT_DIRECTORY: this.#staged.folder,
      ...alsoFrom(joinPath(this.gitDir, 'objects')),
    };
    const env = { ...this.#environment(), ...staged, ...run.env };
    return { ...run, cwd: run.cwd ?? this.gitDir, env };
  }
}

/** Makes git find objects of other stores too. */
function alsoFrom(...folders: readonly string[]): Record<string, string> {
  const quoted = folders.map((folder) => `"${folder.replace(/["\\]/g, '\\$&')}"`);
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted.join(':') };
}

function objectHeader(type: string, bytes: Uint8Array): Uint8Array {
  return encoder.encode(`${type} ${bytes.length}\0`);
}
