import { UserError } from '../../../base/errors.ts';
import { pathFromBytes } from '../../common/pathBytes.ts';
import { relativeTo } from '../../common/posixPath.ts';
import { git, GitFailure, runGit } from '../gitCommand.ts';
import type { GitRun } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import { withIndexView } from '../index/indexView.ts';
import type { ObjectFormat } from '../objects/storeSkeleton.ts';

/** A repository of the user: read only, except for references under `refs/ah/`. */
export class UserRepository {
  /** The top folder of the repository's working tree. */
  readonly root: string;
  /** The git folder of this worktree, with HEAD and index. */
  readonly gitDir: string;
  /** The git folder that all worktrees share, with references and objects. */
  readonly commonDir: string;
  readonly format: ObjectFormat;
  readonly #ports: GitPorts;

  private constructor(
    ports: GitPorts,
    places: Pick<UserRepository, 'root' | 'gitDir' | 'commonDir' | 'format'>,
  ) {
    this.#ports = ports;
    this.root = places.root;
    this.gitDir = places.gitDir;
    this.commonDir = places.commonDir;
    this.format = places.format;
  }

  /**
   * Returns the repository whose working tree contains a folder, if any.
   * @throws UserError if the repository can't be used
   */
  static async of(ports: GitPorts, folder: string): Promise<UserRepository | undefined> {
    const places = ['--is-inside-work-tree', '--is-inside-git-dir'];
    const questions = ['--absolute-git-dir', '--git-common-dir', '--show-object-format'];
    const result = await runGit(
      ports.exec,
      ['rev-parse', '--path-format=absolute', ...places, ...questions],
      { cwd: folder },
    );
    if (result.exitCode !== 0) {
      if (/dubious ownership/.test(result.stderr)) throw untrusted(folder);
      if (/not a git repository/.test(result.stderr)) return undefined;
      throw new GitFailure('rev-parse', result.stderr);
    }
    const [isInTree, isInGit, gitDir = '', commonDir = '', format] = linesOf(result.stdout);
    if (isInGit === 'true') throw new UserError('no-working-tree', bareSentence(folder));
    if (isInTree !== 'true') return undefined; // Its `.git` is configured as a bare repository.
    const top = await git(ports.exec, ['rev-parse', '--show-toplevel'], { cwd: folder });
    const [root = ''] = linesOf(top.stdout);
    return new UserRepository(ports, { root, gitDir, commonDir, format: toFormat(format) });
  }

  /** Runs git as the user would, but without hooks or other side effects. */
  run(args: readonly string[], run: Partial<GitRun> = {}) {
    return runGit(this.#ports.exec, args, { ...run, cwd: run.cwd ?? this.root });
  }

  /** Like {@link run}, for commands that must succeed. */
  git(args: readonly string[], run: Partial<GitRun> = {}) {
    return git(this.#ports.exec, args, { ...run, cwd: run.cwd ?? this.root });
  }

  /**
   * Like {@link git}, for commands that read the user's index: changes nothing, not even a file
   * time.
   */
  readIndex(args: readonly string[], run: Partial<GitRun> = {}) {
    return withIndexView(this.#ports, this, (env) => this.git(args, { ...run, env }));
  }

  /** Whether the repository ignores a whole folder. */
  async ignores(folder: string): Promise<boolean> {
    const relative = relativeTo(this.root, folder);
    if (!relative) return false;
    const tracked = await this.readIndex(['ls-files', '-z', '--', relative]).catch(
      // Untested: snapshots include the files in any case; only the rules that apply to them
      // differ.
      (error: unknown) => {
        // A damaged index tracks nothing.
        if (!(error instanceof GitFailure)) throw error;
        return undefined;
      },
    );
    if (tracked && tracked.stdout.length > 0) return false;
    // `check-ignore` takes names literally and rejects this variable.
    const env = { GIT_LITERAL_PATHSPECS: undefined };
    const args = ['check-ignore', '-q', '--no-index', '--', `./${relative}`];
    const result = await this.run(args, { env });
    return result.exitCode === 0;
  }
}

function linesOf(bytes: Uint8Array): string[] {
  return pathFromBytes(bytes).replace(/\n$/, '').split('\n');
}

function toFormat(text: string | undefined): ObjectFormat {
  return text === 'sha256' ? 'sha256' : 'sha1';
}

function untrusted(folder: string): UserError {
  return new UserError(
    'repository-not-trusted',
    `git does not trust the repository of ${folder}, because another user owns it. ` +
      'To trust it, run: git config --global --add safe.directory …',
  );
}

function bareSentence(folder: string): string {
  return `${folder} is inside a bare repository or a .git folder: there are no files to take snapshots of.`;
}
