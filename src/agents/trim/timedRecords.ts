import { parseFields, type Fields } from '../common/untrusted.ts';
import type { TrimRequest } from '../common/trimming/trim.ts';

/** A record of a transcript, and whether it existed at the moment. */
export interface TimedRecord {
  readonly fields: Fields;
  readonly isInTime: boolean;
  /** Whether it is known to have existed, whatever its own time. */
  readonly isCertain: boolean;
}

/**
 * Parses the records of a session and skips broken lines. Every record after the first late one is
 * late too, whatever its own time.
 *
 * @param timeOf the time of a record; undefined for one without a time
 */
export function timedRecords(
  { lines, certainLines, untilNs }: Pick<TrimRequest, 'lines' | 'certainLines' | 'untilNs'>,
  timeOf: (fields: Fields) => bigint | undefined,
): TimedRecord[] {
  let isLate = false;
  return lines.flatMap((line, index) => {
    const fields = parseFields(line);
    if (!fields) return [];
    const isCertain = index < certainLines;
    if (!isCertain && (timeOf(fields) ?? 0n) > untilNs) isLate = true;
    return [{ fields, isInTime: isCertain || !isLate, isCertain }];
  });
}
