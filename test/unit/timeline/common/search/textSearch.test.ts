import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ScreenText } from '../../../../../src/timeline/common/search/screenText.ts';
import { compileQuery, matchesIn } from '../../../../../src/timeline/common/search/searchQuery.ts';
import { TextIndex, type TextHit } from '../../../../../src/timeline/common/search/textIndex.ts';
import { readPtyFixture } from '../../../../support/terminal/ptyFixture.ts';
import { recordsOf, type Step } from '../../../../support/recording/recordList.ts';

function linesOf(...steps: readonly Step[]): string[] {
  const lines: string[] = [];
  const onLine = (line: string, isPassing: boolean) => lines.push(`${isPassing ? '~' : ''}${line}`);
  const text = new ScreenText({ size: { cols: 20, rows: 4 }, onLine });
  for (const record of recordsOf(...steps)) text.play(record);
  text.dispose();
  return lines;
}

async function search(
  index: TextIndex,
  text: string,
  isRegex = false,
  isCaseSensitive = false,
): Promise<TextHit[]> {
  const pattern = compileQuery({ text, isRegex, isCaseSensitive });
  const matcher = { matches: (part: string) => Promise.resolve(matchesIn(part, pattern)) };
  const hits: TextHit[] = [];
  for (let part = 0; part <= index.closedParts; part++) {
    hits.push(...(await index.searchPart(part, matcher)));
  }
  return hits;
}

describe('ScreenText', () => {
  it('reports lines that are overwritten, cleared, or on the alternate screen', () => {
    assert.deepEqual(linesOf('working 1', '\r\x1b[Kworking 2', '\x1b[2J\x1b[Hdone'), [
      'working 1',
      'working 2',
      'done',
    ]);
    assert.deepEqual(linesOf('shell', '\x1b[?1049h\x1b[Heditor', '\x1b[?1049l'), [
      'shell',
      'editor',
      'shell',
    ]);
  });

  it('does not report moved lines again', () => {
    assert.deepEqual(linesOf('a\r\nb\r\nc', '\r\nd', '\r\ne'), ['a', 'b', 'c', 'd', 'e']);
  });

  it('reports lines that leave within one record', () => {
    assert.deepEqual(linesOf('1\r\n2\r\n3\r\n4\r\n5\r\n6'), ['~1', '~2', '3', '4', '5', '6']);
  });

  it('joins wrapped rows', () => {
    assert.deepEqual(linesOf('a line of more than twenty columns'), [
      'a line of more than twenty columns',
    ]);
  });

  it('finds output of a real agent that its last screen no longer shows', async () => {
    const { size, records } = readPtyFixture('claude');
    const index = new TextIndex();
    let at = 0;
    const place = () => ({ recordIndex: at, byteOffset: 0, timeMs: 0, isPassing: false });
    const text = new ScreenText({ size, onLine: (line) => index.append(line, place()) });
    for (const record of records) {
      text.play(record);
      at++;
    }
    text.dispose();
    assert.ok((await search(index, 'claude')).length > 0);
    const hits = await search(index, '(Read|Edit|Write|Bash)\\(', true);
    assert.ok(hits.length > 0 && hits.every(({ line }) => /(Read|Edit|Write|Bash)\(/i.test(line)));
  });
});

describe('TextIndex', () => {
  const place = (recordIndex: number) => ({
    recordIndex,
    byteOffset: recordIndex * 10,
    timeMs: recordIndex,
    isPassing: false,
  });

  it('finds the same as a search line by line, across chunks', async () => {
    const lines = fc.array(fc.stringMatching(/^[abAB ]{0,40}$/), { maxLength: 200 });
    const needles = fc.stringMatching(/^[abAB]{1,3}$/);
    await fc.assert(
      fc.asyncProperty(
        lines,
        needles,
        fc.boolean(),
        fc.integer({ min: 1, max: 400 }),
        async (drafts, needle, isCaseSensitive, copies) => {
          const index = new TextIndex();
          const all = Array.from({ length: copies }, () => drafts).flat();
          all.forEach((line, at) => index.append(line, place(at)));
          const fold = (text: string) => (isCaseSensitive ? text : text.toLowerCase());
          const expected = all.flatMap((line, at) => {
            const start = fold(line).indexOf(fold(needle));
            return start < 0 ? [] : [[at, start, needle.length, line]];
          });
          const hits = await search(index, needle, false, isCaseSensitive);
          assert.deepEqual(
            hits.map(({ recordIndex, start, length, line }) => [recordIndex, start, length, line]),
            expected,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('escapes plain text', async () => {
    const index = new TextIndex();
    ['a.b', 'axb', '(x) [1/2] -$', 'ä·Ω 漢'].forEach((line, at) => index.append(line, place(at)));
    assert.deepEqual(
      (await search(index, 'a.b')).map(({ recordIndex }) => recordIndex),
      [0],
    );
    assert.deepEqual(
      (await search(index, 'a.b', true)).map(({ recordIndex }) => recordIndex),
      [0, 1],
    );
    assert.equal((await search(index, '(x) [1/2] -$')).length, 1);
    assert.equal((await search(index, 'Ä·ω 漢')).length, 1);
  });

  it('never matches across lines, or the empty string', async () => {
    const index = new TextIndex();
    ['one', 'two'].forEach((line, at) => index.append(line, place(at)));
    const [hit] = await search(index, 'n[^x]*t', true);
    assert.deepEqual([hit?.start, hit?.length, hit?.line], [1, 2, 'one']);
    assert.deepEqual(await search(index, 'x*', true), []);
  });

  it('rejects an invalid pattern', async () => {
    await assert.rejects(search(new TextIndex(), '(', true), { code: 'bad-pattern' });
  });
});
