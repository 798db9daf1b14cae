import { parseFields, type Fields } from '../common/untrusted.ts';
import type { TrimRequest } from './trim.ts';

/** A record of an agent that was there at the moment, or came after it. */
export interface TimedRecord {
  readonly fields: Fields;
  readonly isInTime: boolean;
}

/**
 * The records of a session. What comes after the first late one is late too, whatever its time says; lines that are none are
 * left out.
 *
 * @param timeOf when a record was written; undefined for one that does not say
 */
export function timedRecords(
  { lines, certainLines, untilNs }: TrimRequest,
  timeOf: (fields: Fields) => bigint | undefined,
): TimedRecord[] {
  let isLate = false;
  return lines.flatMap((line, index) => {
    const fields = parseFields(line);
    if (!fields) return [];
    const isCertain = index < certainLines;
    if (!isCertain && (timeOf(fields) ?? 0n) > untilNs) isLate = true;
    return [{ fields, isInTime: isCertain || !isLate }];
  });
}
