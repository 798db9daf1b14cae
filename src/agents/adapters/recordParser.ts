import type { TranscriptParser } from '../common/adapter.ts';
import type { AgentEvent } from '../common/events/events.ts';
import { parseFields, timeNsOf, type Fields } from '../common/untrusted.ts';
import { EventBuilder } from './eventBuilder.ts';

/** A parser of transcripts in which each line is a JSON object, usually with a `timestamp`. */
export abstract class RecordParser implements TranscriptParser {
  protected readonly make: EventBuilder;

  constructor(agent: string) {
    this.make = new EventBuilder(agent, 'transcript');
  }

  push(line: string, seenNs: bigint): AgentEvent[] {
    const record = parseFields(line);
    if (!record) return this.make.unreadable(seenNs, line);
    return this.record(record, timeNsOf(record['timestamp']) ?? seenNs, seenNs);
  }

  /** @param timeNs the record's own time, or else `seenNs` */
  protected abstract record(record: Fields, timeNs: bigint, seenNs: bigint): AgentEvent[];
}
