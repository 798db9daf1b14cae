/** A change that the user can look at before it happens. */
export interface ReviewFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly kind: 'create' | 'change' | 'delete';
  /** An empty folder, or a folder whose permissions change. */
  readonly isFolder?: boolean;
  /**
   * `replace`: the file becomes as in the snapshot or branch. `merge`: it gets the changes of both
   * sides. `conflict` and `left-out` can't be applied.
   */
  readonly how: 'replace' | 'merge' | 'conflict' | 'left-out';
}

/** Which changes of a review are checked; at first all that can be applied. */
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

  /** Checks a change, or unchecks it, with all that can only happen together with it. */
  set(file: ReviewFile, isChecked: boolean): void {
    for (const each of this.#files) {
      if (each.path !== file.path && !areLinked(each, file)) continue;
      if (isChecked) this.#checked.add(each.path);
      else this.#checked.delete(each.path);
    }
  }
}

export function isApplicable({ how }: ReviewFile): boolean {
  return how === 'replace' || how === 'merge';
}

/** Whether one is a file where the other needs a folder: half of that would be neither state. */
function areLinked(a: ReviewFile, b: ReviewFile): boolean {
  const isFileAbove = (above: ReviewFile, below: ReviewFile) =>
    !above.isFolder && below.path.startsWith(`${above.path}/`);
  return isFileAbove(a, b) || isFileAbove(b, a);
}
