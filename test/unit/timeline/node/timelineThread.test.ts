import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SearchHit, SearchHits } from '../../../../src/timeline/common/search/searchHits.ts';
import { until } from '../../../support/ah.ts';
import { recordsOf } from '../../../support/recording/recordList.ts';
import { write } from '../../../support/recording/recordings.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { TimelineThread } from '../../../support/timelineThread.ts';

describe('the thread of a timeline', () => {
  const folder = useTemporaryFolder();

  it('matches an expression in many texts on its own thread', async () => {
    const file = path.join(folder.path, 'session.ahr');
    const lines = Array.from({ length: 9 }, (_, line) => `word ${line}\r\n`);
    const marks = ['\x1b]133;A\x07\x1b]133;C\x07', '\x1b]133;D;1\x07'];
    writeFileSync(file, (await write(recordsOf([60, 10], ...lines, ...marks))).bytes);
    const snapshots = [1, 2, 3].map((id) =>
      JSON.stringify({
        id,
        ts_ns: id,
        label: `after word ${id}`,
        kind: 'auto',
        anchor_byte: id * 8,
      }),
    );
    writeFileSync(path.join(folder.path, 'session.snapshots.jsonl'), `${snapshots.join('\n')}\n`);
    const hits: SearchHit[] = [];
    const thread = new TimelineThread((name, body) => {
      if (name === 'hits') hits.push(...(body as SearchHits).hits);
    });
    try {
      await thread.open(file);
      await until(() => thread.extent?.isIndexed === true, 'all to be read');
      const query = { searchId: 1, text: 'word [246]', isRegex: true, isCaseSensitive: true };
      await thread.request('search', query);
      const found = hits.map(({ excerpt }) => excerpt).filter((excerpt) => /^word/.test(excerpt));
      assert.deepEqual(found, ['word 2', 'word 4', 'word 6']);
    } finally {
      await thread.end();
    }
  });
});
