// Finds the files that a file needs, directly or indirectly.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * A quoted path: an import, or a file that is read or started. All imports have their extension.
 */
const RELATIVE_PATH = /(['"`])(\.{1,2}\/[^'"`\n]+)\1/g;

export class ImportGraph {
  #needs = new Map();

  /** @param {string} root the project's folder; all paths are below it */
  constructor(root) {
    this.root = root;
    const files = globSync('{src,test,bench,scripts}/**/*.{ts,mts,cts,mjs,cjs}', { cwd: root });
    for (const file of files) this.#needs.set(file, this.#readNeeds(file));
  }

  /**
   * @returns {string[]} the files of `candidates` that need one of `changed`, or are one of them
   */
  dependents(changed, candidates) {
    const wanted = new Set(changed);
    return candidates.filter((file) => {
      for (const needed of this.#reachable(file)) if (wanted.has(needed)) return true;
      return false;
    });
  }

  *#reachable(file) {
    const seen = new Set([file]);
    const open = [file];
    while (open.length > 0) {
      const next = open.pop();
      yield next;
      for (const needed of this.#needs.get(next) ?? []) {
        if (!seen.has(needed)) open.push(needed);
        seen.add(needed);
      }
    }
  }

  /** A quoted folder counts as needing all its files. */
  #readNeeds(file) {
    const text = readFileSync(path.join(this.root, file), 'utf8');
    const folder = path.dirname(file);
    return [...text.matchAll(RELATIVE_PATH)].flatMap(([, , specifier]) => {
      const needed = path.join(folder, specifier);
      const full = path.join(this.root, needed);
      if (!needed.includes(path.sep) || needed.startsWith('..') || !existsSync(full)) return [];
      if (!statSync(full).isDirectory()) return [needed];
      return globSync('**/*.*', { cwd: full }).map((name) => path.join(needed, name));
    });
  }
}
