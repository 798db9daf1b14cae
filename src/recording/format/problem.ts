/**
 * What is wrong with a recording. Readers hand problems back beside whatever is good; they do not throw them.
 *
 * - `truncated`: the file ends inside a block, as after a crash
 * - `badMagic`, `badVersion`, `badLengths`: a header that is not one, is of a later format, or contradicts itself
 * - `badBlock`: the payload does not expand to what the header promises
 * - `badRecord`: the segment holds something that is not a record
 * - `badOrder`: blocks or records contradict the ones before them
 * - `tooManyBlocks`: more blocks than a reader is willing to list
 */
export type ProblemKind =
  | 'truncated'
  | 'badMagic'
  | 'badVersion'
  | 'badLengths'
  | 'badBlock'
  | 'badRecord'
  | 'badOrder'
  | 'tooManyBlocks';

export interface RecordingProblem {
  readonly kind: ProblemKind;
  /** Where in the file: the start of the block concerned. */
  readonly fileOffset: number;
  /** A plain sentence that may be shown. */
  readonly message: string;
}
