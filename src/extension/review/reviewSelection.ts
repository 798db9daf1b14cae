/** A change that the user can look at before it happens. */
export interface ReviewFile {
  /** Path relative to the workspace, with `/` as separator. */
  readonly path: string;
  readonly kind: 'create' | 'change' | 'delete';
  /** Set for an empty folder that is created or deleted, or a folder whose permissions change. */
  readonly isFolder?: boolean;
  /**
   * `replace`: the file becomes as in the snapshot or branch. `merge`: it gets the changes of both
   * sides. `conflict` and `left-out` can't be applied.
   */
  readonly how: 'replace' | 'merge' | 'conflict' | 'left-out';
}

/** Keeps which changes of a review are checked: at first, all that can be applied. */
export class ReviewSelection {
  readonly #files: readonly ReviewFile[];
  readonly #checked: Set<string>;

  constructor(files: readonly ReviewFile[]) {
    this.#files = files.filter(isApplicable);
    this.#checked = new Set(this.#files.map(({ path }) => path));
  }

  get checked(): ReadonlySet<string> {
    return this.#checked;
  }

  /** The number of changes that can be checked. */
  get total(): number {
    return this.#files.length;
  }

  /** Checks or unchecks a change, together with the changes that depend on it. */
  set(file: ReviewFile, isChecked: boolean): void {
    for (const { path } of this.#groupOf(file)) {
      if (isChecked) this.#checked.add(path);
      else this.#checked.delete(path);
    }
  }

  /** A change and all that are linked to it, also through others: the files of a new folder. */
  #groupOf(file: ReviewFile): ReadonlySet<ReviewFile> {
    const group = new Set(this.#files.filter(({ path }) => path === file.path));
    // The loop also visits what it adds.
    for (const member of group) {
      for (const each of this.#files) if (areLinked(each, member)) group.add(each);
    }
    return group;
  }
}

export function isApplicable({ how }: ReviewFile): boolean {
  return how === 'replace' || how === 'merge';
}

/**
 * Whether one change has a file where the other needs a folder. Applying only one of the two would
 * give a state that neither side had.
 */
function areLinked(a: ReviewFile, b: ReviewFile): boolean {
  const isFileAbove = (above: ReviewFile, below: ReviewFile) =>
    !above.isFolder && below.path.startsWith(`${above.path}/`);
  return isFileAbove(a, b) || isFileAbove(b, a);
}
