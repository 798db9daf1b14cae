import { errorCode, UserError } from '../../../base/errors.ts';
import { joinPath } from '../../common/posixPath.ts';
import type { GitPorts } from '../gitPorts.ts';

const encoder = new TextEncoder();

/** The parts of a clone. Written before they are created, so that every clone can be removed. */
export interface CloneNote {
  readonly destination: string;
  /** The folders in repositories that describe the clone's git worktrees, see `cloneLinks.ts`. */
  readonly links: readonly string[];
}

export class CloneNotes {
  readonly #ports: GitPorts;
  readonly #folder: string;

  constructor(ports: GitPorts, storage: string) {
    this.#ports = ports;
    this.#folder = joinPath(storage, 'clones');
  }

  async write(note: CloneNote): Promise<void> {
    await this.#ports.files.makeFolder(this.#folder);
    const bytes = encoder.encode(JSON.stringify(note));
    await this.#ports.files.write(this.#fileOf(note.destination), bytes);
  }

  /** @throws UserError if the destination is not a clone that we made */
  async read(destination: string): Promise<CloneNote> {
    try {
      const bytes = await this.#ports.files.read(this.#fileOf(destination));
      return JSON.parse(new TextDecoder().decode(bytes)) as CloneNote;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      throw new UserError('not-a-clone', `${destination} is not a clone of a snapshot.`);
    }
  }

  remove(destination: string): Promise<void> {
    return this.#ports.files.removeTree(this.#fileOf(destination));
  }

  #fileOf(destination: string): string {
    const key = this.#ports.coding.hash('sha1', [encoder.encode(destination)]).slice(0, 20);
    return joinPath(this.#folder, `${key}.json`);
  }
}
