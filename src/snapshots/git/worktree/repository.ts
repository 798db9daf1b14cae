import { UserError } from '../../../base/errors.ts';
import { pathFromBytes } from '../../common/pathBytes.ts';
import { relativeTo } from '../../common/posixPath.ts';
import { git, GitFailure, runGit } from '../gitCommand.ts';
import type { GitRun } from '../gitCommand.ts';
import type { GitPorts } from '../gitPorts.ts';
import { withIndexView } from '../index/indexView.ts';
import type { ObjectFormat } from '../objects/objectStore.ts';

/** A repository of the user's: read, and given references under `refs/ah/`, but otherwise never written to. */
export class UserRepository {
  /** The top of its working tree. */
  readonly root: string;
  /** Of this working tree: HEAD and index. */
  readonly gitDir: string;
  /** Shared by all its working trees: references and objects. */
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
   * The repository whose working tree a folder is in, if any.
   * @throws UserError when there is one that cannot be used
   */
  static async of(ports: GitPorts, folder: string): Promise<UserRepository | undefined> {
    const questions = ['--absolute-git-dir', '--git-common-dir', '--show-object-format'];
    const result = await runGit(
      ports.exec,
      ['rev-parse', '--path-format=absolute', '--is-inside-work-tree', ...questions],
      { cwd: folder },
    );
    if (result.exitCode !== 0) {
      if (/dubious ownership/.test(result.stderr)) throw untrusted(folder);
      if (/not a git repository/.test(result.stderr)) return undefined;
      throw new GitFailure('rev-parse', result.stderr);
    }
    const [isInside, gitDir, commonDir, format] = linesOf(result.stdout);
    if (isInside !== 'true') throw new UserError('no-working-tree', bareSentence(folder));
    const top = await git(ports.exec, ['rev-parse', '--show-toplevel'], { cwd: folder });
    const places = { root: linesOf(top.stdout)[0]!, gitDir: gitDir!, commonDir: commonDir! };
    return new UserRepository(ports, { ...places, format: toFormat(format) });
  }

  /** Runs git as the user would, but harmlessly. */
  run(args: readonly string[], run: Partial<GitRun> = {}) {
    return runGit(this.#ports.exec, args, { ...run, cwd: run.cwd ?? this.root });
  }

  /** As {@link run}, and it must succeed. */
  git(args: readonly string[], run: Partial<GitRun> = {}) {
    return git(this.#ports.exec, args, { ...run, cwd: run.cwd ?? this.root });
  }

  /** As {@link git}, for commands that read the user's index: not even the time of a file is changed. */
  readIndex(args: readonly string[], run: Partial<GitRun> = {}) {
    return withIndexView(this.#ports, this, (env) => this.git(args, { ...run, env }));
  }

  /** Whether its rules leave a whole folder out. */
  async ignores(folder: string): Promise<boolean> {
    const relative = relativeTo(this.root, folder);
    if (!relative) return false;
    const tracked = await this.readIndex(['ls-files', '-z', '--', relative]).catch(
      // Untested: the files are kept either way, only the rules that count differ.
      (error: unknown) => {
        // An index that is damaged tracks nothing.
        if (!(error instanceof GitFailure)) throw error;
        return undefined;
      },
    );
    if (tracked && tracked.stdout.length > 0) return false;
    // It takes names as they are, and refuses to be told so.
    const env = { GIT_LITERAL_PATHSPECS: undefined };
    const args = ['check-ignore', '-q', '--no-index', '--', `./${relative}`];
    const result = await this.run(args, { env });
    return result.exitCode === 0;
  }
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
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
    `git does not trust the repository of ${folder}, because somebody else owns it. ` +
      'If you do, add it with: git config --global --add safe.directory …',
  );
}

function bareSentence(folder: string): string {
  return `${folder} is inside a git repository's own data, or in a bare one: there are no files to keep.`;
}
