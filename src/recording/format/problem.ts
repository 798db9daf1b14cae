/**
 * What is wrong with a recording. Readers return problems together with the readable part; they do
 * not throw them.
 *
 * - `truncated`: the file ends inside a block, as after a crash
 * - `badMagic`: the bytes are not a block header
 * - `badVersion`: the header has an unknown version
 * - `badLengths`: the header contains impossible lengths or offsets
 * - `badBlock`: the payload does not expand to the length in the header
 * - `badRecord`: the segment contains something that is not a record
 * - `badOrder`: a block or record contradicts an earlier one
 * - `tooManyBlocks`: the file has more blocks than readers list
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
  /** The start of the affected block. */
  readonly fileOffset: number;
  /** A sentence for the user. */
  readonly message: string;
}
