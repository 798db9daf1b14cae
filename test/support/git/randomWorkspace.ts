import {
  mkdirSync,
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { symlinkSync, writeFileSync, appendFileSync } from 'node:fs';
import path from 'node:path';
import { tryUserGit, userGit } from './gitWorkspace.ts';
import type { Random } from '../random.ts';

const NAMES = [
  'a.txt',
  'b.txt',
  'shared.txt',
  'with space',
  '-dash',
  'new\nline',
  'ünï✓',
  'q"uote',
  'x.crlf',
  'x.up',
  'x.id',
  'x.log',
  'x.u16',
  'star*',
  '[b]',
  'back\\slash',
  'UPPER',
  'upper',
];
const FOLDERS = ['', 'src', 'src/deep', 'lib', 'lib/made', 'build', 'odd dir\n', 'é'];
const RULES = ['*.log\n', 'build/\n', 'x.*\n!x.id\n', '/lib\n', '*~\n', 'src/deep\n', ''];
const ATTRIBUTES = [
  '* text=auto\n',
  '*.crlf text eol=crlf\n*.up filter=shout\n',
  '*.id ident\n*.u16 working-tree-encoding=UTF-16LE\n',
  '* -text\n',
  '* text eol=lf\n',
];

/** Changes a repository like users, agents and tools, at random and repeatably. */
export class RandomWorkspace {
  readonly folder: string;
  readonly #outside: string;
  readonly #random: Random;
  #number = 0;
  /** Paths touched by file operations since {@link takeTouched}; undefined after other operations. */
  #touched: Set<string> | undefined;
  /** Log of all operations, to investigate failures. */
  readonly log: string[] = [];

  /** @param outside a folder for other repositories and working trees */
  constructor(folder: string, outside: string, random: Random) {
    this.folder = folder;
    this.#outside = outside;
    this.#random = random;
  }

  async start(): Promise<void> {
    mkdirSync(this.folder, { recursive: true });
    mkdirSync(this.#outside, { recursive: true });
    await userGit(this.folder, 'init', '-q');
    for (const setting of ['clean=tr a-z A-Z', 'smudge=tr A-Z a-z']) {
      const [name, value] = setting.split('=');
      await userGit(this.folder, 'config', `filter.shout.${name}`, value!);
    }
    await userGit(this.folder, 'config', 'gc.auto', '0');
    await userGit(this.folder, 'config', 'merge.conflictStyle', 'merge');
  }

  takeTouched(): string[] | undefined {
    const touched = this.#touched;
    this.#touched = new Set();
    if (!touched) return undefined;
    // Watchers also report some parent folders and unchanged folders.
    const told = [...touched]
      .filter(() => this.#random.chance(50))
      .map((file) => path.dirname(file));
    if (this.#random.chance(60)) told.push(this.#random.pick(FOLDERS));
    return [...new Set([...touched, ...told])].filter((place) => place !== '' && place !== '.');
  }

  /** Another program has changed files. */
  forgetTouched(): void {
    this.#touched = undefined;
  }

  /** One random operation. */
  async step(): Promise<void> {
    if (this.#random.chance(65)) this.#fileStep();
    else await this.#gitStep();
  }

  #fileStep(): void {
    const file = this.#anyPath();
    const full = path.join(this.folder, file);
    const kind = this.#random.below(14);
    this.log.push(`file ${kind} ${JSON.stringify(file)}`);
    // A write through a link changes another file, which the watcher reports.
    if ((kind === 4 || kind === 7) && isLink(full)) this.#touched = undefined;
    try {
      if (kind <= 3) this.#write(file, this.#content());
      else if (kind === 4) appendFileSync(full, 'more\n');
      else if (kind === 5) rmSync(full, { recursive: true, force: true });
      else if (kind === 6) {
        const other = this.#anyPath();
        this.#makeFolder(path.dirname(other));
        renameSync(full, path.join(this.folder, other));
        this.#touched?.add(other);
      } else if (kind === 7) chmodSync(full, this.#random.pick([0o755, 0o644, 0o600]));
      else if (kind === 8) {
        this.#makeFolder(path.dirname(file));
        symlinkSync(this.#random.pick(['a.txt', '..', '/nowhere/at/all', 'src']), full);
      } else if (kind === 9) this.#write(this.#inFolder('.gitignore'), this.#random.pick(RULES));
      else if (kind === 10)
        this.#write(this.#inFolder('.gitattributes'), this.#random.pick(ATTRIBUTES));
      else if (kind === 11) {
        if (lstatSync(full).isFile()) writeFileSync(full, flipped(readFileSync(full)));
      } else if (kind === 12) {
        const names = ['build', 'made', 'made/build', 'x.log'];
        this.#makeFolder(this.#inFolder(this.#random.pick(names)));
      } else this.#moveFolder();
    } catch (error) {
      // Something else has this name.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
    this.#touched?.add(file);
  }

  /** A watcher reports the uppermost new folder. */
  #makeFolder(folder: string): void {
    const made = mkdirSync(path.join(this.folder, folder), { recursive: true });
    if (made !== undefined) this.#touched?.add(path.relative(this.folder, made));
  }

  #moveFolder(): void {
    const from = this.#inFolder(this.#random.pick(['deep', 'made', 'build']));
    const to = this.#inFolder(this.#random.pick(['moved', 'made', 'build']));
    this.#makeFolder(path.dirname(to));
    renameSync(path.join(this.folder, from), path.join(this.folder, to));
    for (const place of [from, to]) this.#touched?.add(place);
  }

  async #gitStep(): Promise<void> {
    this.#touched = undefined;
    this.#number += 1;
    const git = (...args: string[]) => tryUserGit(this.folder, ...args);
    const actions: (() => Promise<unknown>)[] = [
      () => git('add', '-A'),
      () => git('add', '--', this.#anyPath()),
      () => git('add', '-f', '--', this.#anyPath()),
      () => git('add', '-N', '--', this.#anyPath()),
      () => git('rm', '-q', '--cached', '-r', '--', this.#anyPath()),
      () => git('commit', '-q', '-a', '-m', `commit ${this.#number}`),
      () => git('commit', '-q', '--amend', '-m', `amended ${this.#number}`),
      () => git('checkout', '-q', '-b', `branch${this.#number}`),
      async () => git('checkout', '-q', this.#random.pick(await this.#branches())),
      async () => git('merge', '-q', '-m', 'merged', this.#random.pick(await this.#branches())),
      () => git('merge', '--abort'),
      async () => git('rebase', '-q', this.#random.pick(await this.#branches())),
      () => git('rebase', '--abort'),
      async () => git('cherry-pick', this.#random.pick(await this.#branches())),
      () => git('cherry-pick', '--abort'),
      () => git('stash', 'push', '-q', '-u'),
      () => git('stash', 'pop', '-q'),
      () => git('reset', '-q', '--hard'),
      () => git('reset', '-q', 'HEAD~1'),
      () => git('checkout', '-q', '--detach'),
      () => git('checkout', '-q', '--orphan', `orphan${this.#number}`),
      () => git('sparse-checkout', 'set', 'src'),
      () => git('sparse-checkout', 'disable'),
      () => git('update-index', '--assume-unchanged', 'a.txt'),
      () => git('update-index', '--split-index'),
      () => git('update-index', '--no-split-index', '--index-version', '4'),
      () => git('worktree', 'add', '-q', '--detach', path.join(this.#outside, `w${this.#number}`)),
      () => this.#addSubmodule(),
      () => this.#nestedRepository(),
      () => git('status'),
      () => this.#lockIndex(),
    ];
    const at = this.#random.below(actions.length);
    this.log.push(`git ${at}`);
    await actions[at]!();
  }

  /** Files that a running or crashed git of the user leaves behind. */
  #lockIndex(): Promise<void> {
    const lock = path.join(this.folder, '.git/index.lock');
    if (existsSync(lock)) rmSync(lock);
    else if (this.#random.chance(30)) writeFileSync(lock, 'locked');
    return Promise.resolve();
  }

  async #addSubmodule(): Promise<void> {
    const library = path.join(this.#outside, 'library');
    if (!existsSync(library)) {
      mkdirSync(library);
      await userGit(library, 'init', '-q');
      writeFileSync(path.join(library, 'lib.c'), 'lib\n');
      await userGit(library, 'add', '.');
      await userGit(library, 'commit', '-q', '-m', 'lib');
    }
    const name = `sub${this.#random.below(2)}`;
    await tryUserGit(this.folder, 'submodule', '--quiet', 'add', '-f', library, name);
    this.#write(`${name}/work.c`, this.#content());
    await tryUserGit(path.join(this.folder, name), 'add', 'work.c');
  }

  async #nestedRepository(): Promise<void> {
    const name = this.#random.pick(['inner', 'src/nested', 'inner/innermost']);
    const full = path.join(this.folder, name);
    if (existsSync(path.join(full, '.git')) && this.#random.chance(20)) {
      rmSync(path.join(full, '.git'), { recursive: true });
      return;
    }
    try {
      mkdirSync(full, { recursive: true });
    } catch {
      return;
    }
    await tryUserGit(full, 'init', '-q');
    this.#write(`${name}/${this.#random.pick(NAMES)}`, this.#content());
    if (this.#random.chance(50)) await tryUserGit(full, 'add', '-A');
    if (this.#random.chance(30)) await tryUserGit(full, 'commit', '-q', '-m', 'nested');
  }

  async #branches(): Promise<string[]> {
    const text = await userGit(
      this.folder,
      'for-each-ref',
      '--format=%(refname:short)',
      'refs/heads',
    );
    const names = text.split('\n').filter(Boolean);
    return names.length > 0 ? names : ['main'];
  }

  #write(file: string, content: string | Uint8Array): void {
    const full = path.join(this.folder, file);
    this.#touched?.add(file);
    try {
      this.#makeFolder(path.dirname(file));
      if (isLink(full) || (existsSync(full) && !lstatSync(full).isFile())) return;
      writeFileSync(full, content);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }

  #anyPath(): string {
    return this.#inFolder(this.#random.pick(NAMES));
  }

  #inFolder(name: string): string {
    return path.join(this.#random.pick(FOLDERS), name);
  }

  #content(): string {
    const lines = Array.from(
      { length: this.#random.below(6) },
      () =>
        `${this.#random.pick(['one', 'two', '$Id$', 'THREE'])}${this.#random.pick(['\n', '\r\n'])}`,
    );
    return lines.join('');
  }
}

function isLink(full: string): boolean {
  return lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Other bytes of the same length: only the times differ. */
function flipped(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte ^ 1);
}
