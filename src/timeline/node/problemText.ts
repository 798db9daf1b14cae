import * as l10n from '@vscode/l10n';
import type { ProblemKind, RecordingProblem } from '../../recording/format/problem.ts';

/**
 * What is wrong with a recording and how much of it is intact, as `ah agent validate` reports it.
 */
export function problemText({ kind, fileOffset }: RecordingProblem, fileBytes: number): string {
  return `${causeText(kind)} ${intactText(fileOffset, fileBytes)}`;
}

/** Says why a recording can't be shown when not even its first block is readable. */
export function unreadableText(name: string, kind: ProblemKind | undefined, bytes: number): string {
  switch (kind) {
    case 'truncated':
      return l10n.t(
        '{0} is incomplete: it ends before its first block, after {1} bytes.',
        name,
        bytes,
      );
    case 'badVersion':
      return l10n.t('{0} was written by a newer version and can’t be read.', name);
    case 'badBlock':
    case 'badRecord':
    case 'badOrder':
      return l10n.t('{0} is damaged from the start: nothing in it can be shown.', name);
    case 'badMagic':
    case 'badLengths':
    case 'tooManyBlocks':
    case undefined:
      return l10n.t('{0} is not a recording.', name);
  }
}

function causeText(kind: ProblemKind): string {
  switch (kind) {
    case 'truncated':
      return l10n.t('The end of this recording is missing; everything before it is shown.');
    case 'badVersion':
      return l10n.t('Part of this recording was written by a newer version and can’t be read.');
    case 'tooManyBlocks':
      return l10n.t('This recording is too long to show completely; only the beginning is shown.');
    case 'badMagic':
    case 'badLengths':
    case 'badBlock':
    case 'badRecord':
    case 'badOrder':
      return l10n.t('Part of this recording is damaged; the rest is shown.');
  }
}

function intactText(intactBytes: number, fileBytes: number): string {
  return l10n.t('The first {0} of {1} bytes are intact.', intactBytes, fileBytes);
}
