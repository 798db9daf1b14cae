import { UserError } from '../../../base/errors.ts';
import { joinPath } from '../volume/posixPath.ts';
import { errorCode } from '../volume/errorCode.ts';
import { git, HARMLESS, PLAIN_ENVIRONMENT, runGit } from './gitCommand.ts';
import type { GitRun } from './gitCommand.ts';
import type { GitPorts } from './gitPorts.ts';
import { ObjectReader } from './objectReader.ts';
import type { TreeItem } from './treeFormat.ts';
import { formatTree, MODE_FOLDER, parseTree } from './treeFormat.ts';

const encoder = new TextEncoder();
/** Trees on the way to what changes are read again and again; 4,000 of them are a few megabytes. */
const MAX_CACHED_TREES = 4000;
/** Objects never change. */
const READ_ONLY = 0o400;

export type ObjectFormat = 'sha1' | 'sha256';

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

  private constructor(ports: GitPorts, gitDir: string, format: ObjectFormat) {
    this.#ports = ports;
    this.gitDir = gitDir;
    this.format = format;
    this.reader = new ObjectReader((option) =>
      ports.start('git', [...HARMLESS, 'cat-file', option], {
        cwd: gitDir,
        env: { ...PLAIN_ENVIRONMENT, ...this.#environment() },
      }),
    );
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
    const { files, coding } = this.#ports;
    const oid = this.hashOf(type, bytes);
    const folder = joinPath(this.gitDir, `objects/${oid.slice(0, 2)}`);
    const file = joinPath(folder, oid.slice(2));
    if (await exists(this.#ports, file)) return oid;
    const header = objectHeader(type, bytes);
    const whole = new Uint8Array(header.length + bytes.length);
    whole.set(header);
    whole.set(bytes, header.length);
    const packed = await coding.deflate(whole);
    try {
      await this.#put(file, packed, READ_ONLY);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await files.makeFolder(folder);
      await this.#put(file, packed, READ_ONLY);
    }
    return oid;
  }

  async writeTree(items: ReadonlyMap<string, TreeItem>): Promise<string> {
    const oid = await this.write('tree', formatTree(items));
    this.#remember(oid, new Map(items));
    return oid;
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
    const file = joinPath(this.gitDir, `refs/${name}`);
    await this.#ports.files.makeFolder(file.slice(0, file.lastIndexOf('/')));
    await this.#put(file, encoder.encode(`${oid}\n`));
  }

  /** What may be gone is no longer remembered, nor read from packs that were replaced. */
  forget(): void {
    this.#trees.clear();
    this.reader.dispose();
  }

  dispose(): void {
    this.reader.dispose();
  }

  /** What a kill leaves half-written is not in the repository, where git would take it for a broken object or ref. */
  #put(file: string, bytes: Uint8Array, mode?: number): Promise<void> {
    return this.#ports.files.write(file, bytes, mode, this.#ports.scratch);
  }

  #remember(oid: string, items: ReadonlyMap<string, TreeItem>): void {
    if (this.#trees.size >= MAX_CACHED_TREES) this.#trees.clear();
    this.#trees.set(oid, items);
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

function objectHeader(type: string, bytes: Uint8Array): Uint8Array {
  return encoder.encode(`${type} ${bytes.length}\0`);
}

async function exists({ files }: GitPorts, path: string): Promise<boolean> {
  try {
    await files.stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
