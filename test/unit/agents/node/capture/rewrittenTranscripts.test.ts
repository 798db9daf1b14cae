import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { AgentAdapter } from '../../../../../src/agents/common/adapter.ts';
import { ADAPTERS } from '../../../../../src/agents/adapters/adapters.ts';
import { eventLine } from '../../../../../src/agents/common/events/eventLine.ts';
import { EventMerger } from '../../../../../src/agents/common/events/eventMerger.ts';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import { LineTail } from '../../../../../src/platform/node/files/lineTail.ts';
import { Random } from '../../../../support/random.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../../fixtures/agents');
const SEEDS = 12;

/** Real transcripts, written in good and bad ways: each fact is reported once. */
describe('transcripts that are cut, replaced and read again', function () {
  this.timeout(60_000);
  const temporary = useTemporaryFolder();

  /** Follows a file as the recorder does. */
  function follow(adapter: AgentAdapter, file: string) {
    const merger = new EventMerger();
    const events: AgentEvent[] = [];
    let parser = adapter.createParser();
    const tail = new LineTail(file, {
      onLine: (line) => {
        for (const event of parser.push(line, 0n)) events.push(...merger.push(event));
      },
      onRestart: () => (parser = adapter.createParser()),
    });
    return { tail, events };
  }
  const factsOf = (events: readonly AgentEvent[]) => events.map(eventLine).sort();

  for (const adapter of ADAPTERS) {
    for (const name of ['three-tools', 'ask', 'compacted']) {
      const fixture = path.join(FIXTURES, adapter.agent, `${name}.transcript.jsonl`);
      // Not every agent compacts, and databases have their own test.
      if (!existsSync(fixture)) continue;
      it(`${adapter.agent}, ${name}: the same facts on every reading, none twice`, async () => {
        const bytes = readFileSync(fixture);
        const clean = follow(adapter, fixture);
        await clean.tail.finish();
        assert.ok(clean.events.length > 4, 'there are events');

        for (let seed = 1; seed <= SEEDS; seed++) {
          const random = new Random(seed);
          const file = path.join(temporary.path, `${adapter.agent}-${name}-${seed}.jsonl`);
          const { tail, events } = follow(adapter, file);
          let written = 0;
          const write = (length: number) => {
            appendFileSync(file, bytes.subarray(written, written + length));
            written = Math.min(bytes.length, written + length);
          };
          while (written < bytes.length) {
            write(1 + random.below(9000));
            if (random.chance(70)) await Promise.all([tail.read(), tail.read(), tail.read()]);
            if (random.chance(15)) {
              const keep = random.below(written + 1);
              truncateSync(file, keep);
              if (random.chance(50)) await tail.read();
              appendFileSync(file, bytes.subarray(keep, written));
            } else if (random.chance(10)) {
              renameSync(file, `${file}.old`);
              if (random.chance(50)) await tail.read();
              writeFileSync(file, bytes.subarray(0, written));
            } else if (random.chance(5)) {
              rmSync(file);
              await tail.read();
              writeFileSync(file, bytes.subarray(0, written));
            }
            await tail.read();
          }
          await tail.finish();
          assert.deepEqual(factsOf(events), factsOf(clean.events), `seed ${seed}`);
        }
      });
    }
  }
});
