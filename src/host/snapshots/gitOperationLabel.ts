import { open } from 'node:fs/promises';
import path from 'node:path';

/** The label if git wrote no line to the reflog, which users can turn off. */
const UNKNOWN_OPERATION = 'Git operation';
/** Bytes to read: more than any line that git writes for a commit with a readable subject. */
const TAIL_BYTES = 8192;
const SHORT_COMMIT = 7;
/** `<old commit> <new commit> <name> <mail> <time> <zone>\t<what happened>` */
const REFLOG_LINE = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t]*\t(.*)$/;

/**
 * Names the last operation that moved HEAD, for example `Commit 8999f3e Bankers`.
 * @param gitFolder the folder that contains HEAD: `.git`, or that of a linked worktree
 */
export async function gitOperationLabel(gitFolder: string): Promise<string> {
  const tail = await tailOf(path.join(gitFolder, 'logs', 'HEAD')).catch(() => ''); // No reflog.
  return reflogLabel(tail.trimEnd().split('\n').at(-1) ?? '') ?? UNKNOWN_OPERATION;
}

/** Returns undefined for text that is no line of a reflog. */
export function reflogLabel(line: string): string | undefined {
  const [, commit, message] = REFLOG_LINE.exec(line) ?? [];
  if (commit === undefined || !message) return undefined;
  const [, action = message, text = ''] = /^(.*?): (.*)$/.exec(message) ?? [];
  const [command = '', ...words] = action.split(' ');
  const step = /\((.*)\)$/.exec(action)?.[1];
  const target = shortCommit(words.filter((word) => !/^[-(]/.test(word)).join(' '));
  const here = commit.slice(0, SHORT_COMMIT);
  switch (command) {
    case 'commit':
      if (step === 'merge') return text;
      return `${step === 'amend' ? 'Amended commit' : 'Commit'} ${here} ${text}`;
    case 'checkout':
      return `Switched to ${shortCommit(/ to (.*)$/.exec(text)?.[1] ?? here)}`;
    case 'reset':
      return `Reset to ${shortCommit(text.replace(/^moving to /, ''))}`;
    case 'revert':
      return text;
    case 'merge':
      return `Merge ${target}`;
    case 'pull':
      return `Pull ${target}`.trim();
    case 'rebase':
      return rebaseLabel(step, text);
    case 'cherry-pick':
      return `Cherry-pick ${here} ${text}`;
    default:
      return message.charAt(0).toUpperCase() + message.slice(1);
  }
}

function rebaseLabel(step: string | undefined, text: string): string {
  const branch = /^returning to (?:refs\/heads\/)?(.*)$/.exec(text)?.[1];
  if (step === 'abort')
    return branch === undefined ? 'Rebase aborted' : `Rebase of ${branch} aborted`;
  if (branch !== undefined) return `Rebase ${branch}`;
  const onto = /^checkout (.*)$/.exec(text)?.[1];
  return onto === undefined ? `Rebase: ${text}` : `Rebase onto ${shortCommit(onto)}`;
}

function shortCommit(name: string): string {
  return /^[0-9a-f]{40,64}$/.test(name) ? name.slice(0, SHORT_COMMIT) : name;
}

/** Reads only the end of the file: a reflog can have megabytes. */
async function tailOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(Math.min(size, TAIL_BYTES)),
      position: Math.max(0, size - TAIL_BYTES),
    });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
