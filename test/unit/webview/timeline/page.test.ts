import assert from 'node:assert/strict';
import { repeatedOnScreen } from '../../../../src/base/terminalLimits.ts';
import {
  findAllInRows,
  findInRows,
  type RowCells,
} from '../../../../src/webview/timeline/screen/findInRows.ts';
import { matchPattern } from '../../../../src/webview/timeline/search/matchPattern.ts';
import { scaledHeights } from '../../../../src/webview/timeline/scrubber/heatHeights.ts';
import { actionOf, KEY_HELP } from '../../../../src/webview/timeline/keys.ts';
import { RowLayout } from '../../../../src/webview/timeline/moments/rowLayout.ts';
import { parseSavedState } from '../../../../src/webview/timeline/host/savedState.ts';
import {
  SearchSession,
  type SearchResult,
} from '../../../../src/webview/timeline/search/searchSession.ts';
import { spanText } from '../../../../src/base/spanText.ts';
import { bytesText, positionText } from '../../../../src/webview/timeline/timeText.ts';
import type { SearchHit } from '../../../../src/timeline/common/search/searchHits.ts';

const plain = (key: string) => ({ key, ctrlKey: false, altKey: false, metaKey: false });

describe('keys', () => {
  it('handles every key in the help, and no key of the editor', () => {
    const names: Record<string, string> = {
      Space: ' ',
      PgUp: 'PageUp',
      PgDn: 'PageDown',
      '←': 'ArrowLeft',
      '→': 'ArrowRight',
    };
    const keys = KEY_HELP.flatMap(({ keys }) => keys.split(/\s+/));
    assert.ok(keys.length > 20);
    for (const key of keys) assert.ok(actionOf(plain(names[key] ?? key)), key);
    for (const modifier of ['ctrlKey', 'altKey', 'metaKey'] as const) {
      assert.equal(actionOf({ ...plain('g'), [modifier]: true }), undefined);
    }
    assert.notEqual(actionOf(plain('n')), actionOf(plain('N')));
    assert.notEqual(actionOf(plain('g')), actionOf(plain('G')));
  });
});

describe('parseSavedState', () => {
  it('restores a saved state', () => {
    const state = {
      recording: '/a.ahr',
      at: { byteOffset: 12 },
      speed: 4,
      isIdleSkipped: false,
      zoom: { from: 1, to: 2 },
      textScale: 1.5,
      filter: 'errors',
      searchText: 'x',
      instruction: 'go on',
    };
    assert.deepEqual(parseSavedState(state, '/a.ahr'), state);
  });

  it('uses defaults for anything else', () => {
    const fresh = parseSavedState(undefined, '/a.ahr');
    assert.equal(fresh.speed, 1);
    const odd = [
      null,
      'x',
      7,
      { recording: '/b.ahr', speed: 4 },
      {
        recording: '/a.ahr',
        at: { byteOffset: -1 },
        speed: 3,
        filter: 'x',
        textScale: 17,
        instruction: 17,
        zoom: { from: 2, to: 1 },
      },
    ];
    for (const value of odd) assert.deepEqual(parseSavedState(value, '/a.ahr'), fresh);
  });
});

/** Cells of a row; a `.` after a wide character stands for its second half. */
function row(text: string, isWrapped = false): RowCells {
  const cells: { chars: string; width: number }[] = [];
  for (const chars of text) {
    const width = /\p{Script=Han}/u.test(chars) ? 2 : 1;
    cells.push({ chars, width });
    if (width === 2) cells.push({ chars: '', width: 0 });
  }
  while (cells.length < 10) cells.push({ chars: '', width: 1 });
  return {
    isWrapped,
    length: 10,
    getCell: (column) => {
      const cell = cells[column];
      return cell && { getChars: () => cell.chars, getWidth: () => cell.width };
    },
  };
}

describe('findInRows', () => {
  it('finds a text in cells, also after wide characters and across rows', () => {
    assert.deepEqual(findInRows([row('nothing'), row('abc')], 'bc'), {
      row: 1,
      column: 1,
      length: 2,
    });
    assert.deepEqual(findInRows([row('漢字 ok')], 'ok'), { row: 0, column: 5, length: 2 });
    assert.deepEqual(findInRows([row('漢字 ok')], '字'), { row: 0, column: 2, length: 2 });
    const wrapped = [row('0123456789'), row('abc', true)];
    assert.deepEqual(findInRows(wrapped, '89ab'), { row: 0, column: 8, length: 4 });
    assert.equal(findInRows([row('0123456789'), row('abc')], '89ab'), undefined);
    assert.equal(findInRows([row('abc')], ''), undefined);
  });

  it('finds all matches', () => {
    const rows = [row('ab 漢ab'), row('nothing'), row('01234567AB'), row('ab', true)];
    const places = findAllInRows(rows, /ab/gi).map(({ row: at, column, length }) => [
      at,
      column,
      length,
    ]);
    assert.deepEqual(places, [
      [0, 0, 2],
      [0, 5, 2],
      [2, 8, 2],
      [3, 0, 2],
    ]);
    assert.deepEqual(findAllInRows(rows, /7ABa/g), [{ row: 2, column: 7, length: 4 }]);
    assert.deepEqual(findAllInRows(rows, /z*/g), []);
  });
});

describe('matchPattern', () => {
  const hit = (matched: string): SearchHit => ({
    byteOffset: 0,
    recordIndex: 0,
    timeMs: 0,
    isPassing: false,
    excerpt: `the ${matched}.`,
    start: 4,
    length: matched.length,
  });
  const query = { text: 'a.c', isRegex: false, isCaseSensitive: false };
  const found = (pattern: RegExp | undefined) => 'a.c A.C abc abcd'.match(pattern!);

  it('matches a plain text as the search does', () => {
    assert.deepEqual(found(matchPattern(query, [])), ['a.c', 'A.C']);
    assert.deepEqual(found(matchPattern({ ...query, isCaseSensitive: true }, [])), ['a.c']);
  });

  it('matches the texts that an expression found, and never runs the expression', () => {
    const slow = { ...query, text: '(a+)+c', isRegex: true };
    assert.equal(matchPattern(slow, []), undefined);
    const hits = [hit('a.c'), hit('abc'), hit('abcd'), hit('abc')];
    assert.deepEqual(found(matchPattern(slow, hits)), ['a.c', 'abc', 'abcd']);
  });
});

describe('SearchSession', () => {
  const hit = (byteOffset: number): SearchHit => ({
    byteOffset,
    recordIndex: byteOffset,
    timeMs: 0,
    isPassing: false,
    excerpt: `line ${byteOffset}`,
    start: 0,
    length: 4,
  });

  function world() {
    const shown: (SearchResult | undefined)[] = [];
    const gone: number[] = [];
    const session = new SearchSession({
      search: () => Promise.resolve(),
      show: (result) => shown.push(result),
      mark: () => {},
      go: ({ byteOffset }) => gone.push(byteOffset),
    });
    return { session, shown, gone };
  }
  const input = { text: 'x', isRegex: false, isCaseSensitive: false };
  const found = (searchId: number, hits: SearchHit[]) => {
    return { searchId, hits, total: hits.length, progress: 1, isDone: true };
  };

  it('steps from the current position, and wraps around', async () => {
    const { session, shown, gone } = world();
    await session.start(input);
    session.receive(found(1, [hit(30), hit(10), hit(20)]));
    session.step(1, 15);
    assert.equal(shown.at(-1)?.index, 1);
    session.step(1, 0);
    session.step(1, 0);
    session.step(-1, 0);
    assert.deepEqual(gone, [20, 30, 10, 30]);
  });

  it('goes to the match before the position if the first step is backwards', async () => {
    const { session, gone } = world();
    await session.start(input);
    session.receive(found(1, [hit(10), hit(20)]));
    session.step(-1, 15);
    session.step(-1, 15);
    assert.deepEqual(gone, [10, 20]);
  });

  it('performs a step that was requested before the first match', async () => {
    const { session, gone } = world();
    await session.start(input);
    session.step(1, 15);
    session.receive({ ...found(1, []), isDone: false });
    session.receive(found(1, [hit(10), hit(20)]));
    session.receive(found(1, [hit(30)]));
    assert.deepEqual(gone, [20]);
  });

  it('ignores matches of an earlier search', async () => {
    const { session, shown, gone } = world();
    await session.start(input);
    await session.start({ ...input, text: 'y' });
    session.receive(found(1, [hit(10)]));
    session.step(1, 0);
    assert.deepEqual(gone, []);
    assert.equal(shown.at(-1)?.total, 0);
  });

  it('keeps the current match when it searches again', async () => {
    const { session, shown, gone } = world();
    await session.start(input);
    session.receive(found(1, [hit(10), hit(20)]));
    session.step(1, 15);
    await session.refresh();
    session.receive(found(2, [hit(5), hit(10), hit(20), hit(40)]));
    assert.equal(shown.at(-1)?.index, 2);
    session.step(1, 0);
    assert.deepEqual(gone, [20, 40]);
  });
});

describe('RowLayout', () => {
  it('finds the rows in a span, with a gap above each turn', () => {
    const kinds = ['tool', 'prompt', 'tool', 'prompt'] as const;
    const moments = kinds.map((kind, index) => {
      return { id: `${index}`, kind, timeMs: 0, byteOffset: 0, title: '' };
    });
    const places = new RowLayout(moments);
    assert.deepEqual(
      moments.map((_, index) => places.top(index)),
      [4, 34, 58, 88],
    );
    assert.equal(places.height, 116);
    assert.deepEqual(places.between(0, 30), { from: 0, to: 1 });
    assert.deepEqual(places.between(40, 60), { from: 1, to: 3 });
    assert.deepEqual(places.between(500, 600), { from: 4, to: 4 });
    assert.deepEqual(new RowLayout([]).between(0, 100), { from: 0, to: 0 });
  });
});

describe('repeatedOnScreen', () => {
  it('results in the same screen as all repetitions', () => {
    for (const count of [0, 5, 44, 45, 100, 0xffff]) {
      const less = repeatedOnScreen(count, 11, 3);
      assert.ok(less <= Math.min(count, 5 * 11));
      assert.equal(less % 11, count % 11);
      assert.equal(less >= 4 * 11, count >= 4 * 11);
    }
  });
});

describe('texts of the page', () => {
  it('formats times and sizes briefly', () => {
    assert.equal(positionText(727_400, true), '12:07.4');
    assert.equal(positionText(3_723_000), '1:02:03');
    assert.equal(spanText(9 * 60_000), '9 min');
    assert.equal(spanText(64 * 60_000), '1 h 04 min');
    assert.equal(bytesText(999), '999 B');
    assert.equal(bytesText(1_400_000), '1.4 MB');
  });

  it('keeps quiet times visible beside a burst', () => {
    const [quiet, flood] = scaledHeights([100, 100_000_000], 40);
    assert.equal(flood, 40);
    assert.ok(quiet! > 5);
  });
});
