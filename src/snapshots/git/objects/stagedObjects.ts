import { Sequencer } from '../../../base/sequencer.ts';
import { folderNames } from '../../common/folders.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';
import type { StoredObject } from './objectReader.ts';
import { formatPack, type ObjectType, type PackedObject } from './packFile.ts';

/** Objects never change. */
const READ_ONLY = 0o400;
/** More objects than this are moved from memory to a file. */
const MAX_MEMORY_BYTES = 16 * 1024 * 1024;
/** In this order: git searches a pack as soon as it sees its index. */
const PACK_FILES = ['.rev', '.pack', '.idx'];

/**
 * The new objects of a snapshot that is being taken. Those that we make are in memory, those that
 * git makes are in a separate folder; readers of the store see neither. {@link publish} adds all of
 * them to the store, on disk.
 */
export class StagedObjects {
  /** Git processes write their objects here. */
  readonly folder: string;
  readonly #ports: GitPorts;
  readonly #algorithm: 'sha1' | 'sha256';
  readonly #objects = new Map<string, PackedObject>();
  readonly #spilling = new Sequencer();
  #bytes = 0;
  #hasFiles = false;

  constructor(ports: GitPorts, algorithm: 'sha1' | 'sha256') {
    this.#ports = ports;
    this.#algorithm = algorithm;
    this.folder = joinPath(ports.scratch, 'staged');
  }

  /** Whether objects may be in the folder. */
  get hasFiles(): boolean {
    return this.#hasFiles;
  }

  /** Removes what a killed process or a power cut left. */
  async begin(): Promise<void> {
    await this.discard();
    await this.#ports.files.makeFolder(this.#packs);
  }

  async discard(): Promise<void> {
    this.#objects.clear();
    this.#bytes = 0;
    this.#hasFiles = false;
    await this.#ports.files.removeTree(this.folder);
  }

  /** Call before git writes objects. */
  expectFiles(): void {
    this.#hasFiles = true;
  }

  has(oid: string): boolean {
    return this.#objects.has(oid);
  }

  async add(oid: string, type: ObjectType, bytes: Uint8Array): Promise<void> {
    const deflated = await this.#ports.coding.deflate(bytes);
    this.#objects.set(oid, { oid, type, size: bytes.length, deflated });
    this.#bytes += deflated.length;
    if (this.#bytes > MAX_MEMORY_BYTES) await this.spill();
  }

  /** Returns an object that is in memory. */
  async get(oid: string): Promise<StoredObject | undefined> {
    const found = this.#objects.get(oid);
    return found && { type: found.type, bytes: await this.#ports.coding.inflate(found.deflated) };
  }

  /** Moves the objects from memory to the folder, for git. Doesn't wait for the disk. */
  spill(): Promise<void> {
    return this.#spilling.queue(async () => {
      if (this.#objects.size === 0) return;
      const objects = [...this.#objects.values()];
      const { name, pack, index } = formatPack(this.#ports.coding, this.#algorithm, objects);
      this.#hasFiles = true;
      const { files } = this.#ports;
      const file = joinPath(this.#packs, name);
      await Promise.all([
        files.write(`${file}.pack`, pack, READ_ONLY),
        files.write(`${file}.idx`, index, READ_ONLY),
      ]);
      // Keep them in memory until they can be read from the folder.
      for (const { oid, deflated } of objects) {
        this.#objects.delete(oid);
        this.#bytes -= deflated.length;
      }
    });
  }

  /**
   * Makes all objects part of a store. They are on disk when this returns.
   * @param packLoose makes a pack in the folder of the objects that git wrote to separate files
   * @param alongside runs while this waits for the disk, before readers can see the objects
   */
  async publish(
    objects: string,
    packLoose: (oids: readonly string[], pack: string) => Promise<void>,
    alongside: () => Promise<void>,
  ): Promise<void> {
    const groups: string[][] = [];
    const addGroup = async () => {
      const known = new Set(groups.flat());
      const packs = await this.#listPacks();
      groups.push(packs.filter((name) => !known.has(name)));
    };
    if (this.#hasFiles) {
      await addGroup();
      const loose = await this.#listLoose();
      if (loose.length > 0) await packLoose(loose, joinPath(this.#packs, 'pack'));
      await addGroup();
    }
    await this.spill();
    if (this.#hasFiles) await addGroup();
    const { files } = this.#ports;
    const all = groups.flat().map((name) => files.sync(joinPath(this.#packs, name)));
    await Promise.all([...all, alongside()]);
    const target = joinPath(objects, 'pack');
    // In order: even after a power cut, no tree in the store refers to an object that is missing.
    for (const names of groups.filter((group) => group.length > 0)) {
      for (const end of PACK_FILES)
        for (const name of names.filter((each) => each.endsWith(end)))
          await files.rename(joinPath(this.#packs, name), joinPath(target, name));
      await files.sync(target);
    }
    if (this.#hasFiles) await this.begin();
  }

  get #packs(): string {
    return joinPath(this.folder, 'pack');
  }

  async #listPacks(): Promise<string[]> {
    const entries = await this.#ports.files.list(this.#packs);
    const isPart = (name: string) => PACK_FILES.some((end) => name.endsWith(end));
    return entries
      .map(({ name }) => name)
      .filter((name) => name.startsWith('pack-') && isPart(name));
  }

  async #listLoose(): Promise<string[]> {
    return listLoose(this.#ports, this.folder);
  }
}

/** Lists the objects of a store that are in files of their own. */
export async function listLoose({ files }: GitPorts, objects: string): Promise<string[]> {
  const folders = (await folderNames(files, objects)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const oids: string[] = [];
  for (const folder of folders) {
    for (const { name } of await files.list(joinPath(objects, folder)))
      if (/^([0-9a-f]{38}|[0-9a-f]{62})$/.test(name)) oids.push(folder + name);
  }
  return oids;
}
