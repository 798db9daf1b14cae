import assert from 'node:assert/strict';
import { refOf, setUpTaker, TOOL } from '../../support/takerUnderTest.ts';
import { openReal } from '../../support/git/gitWorkspace.ts';
import { useGitWorkspace } from '../../support/git/useGitWorkspace.ts';

const TIMER = { ...TOOL, trigger: 'timer', isOnlyIfChanged: true } as const;

describe('two sessions in one folder', () => {
  const work = useGitWorkspace();

  it('each keep a state that the other kept first, once', async () => {
    await work.put('a', '1\n');
    const storage = work.beside('storage');
    const providers = [await work.open(), await openReal(work.path, storage)];
    const [one, other] = providers.map((provider, at) =>
      setUpTaker({ sessionId: `s${at}`, provider: Promise.resolve(provider) }),
    );
    try {
      for (const { taker } of [one!, other!]) await taker.take({ ...TOOL, trigger: 'manual' });
      await work.put('a', '2\n');
      assert.ok(await one!.taker.take(TIMER), 'the file has changed');
      const line = await other!.taker.take(TIMER);
      assert.ok(line, 'it has changed for the other session, too');
      assert.equal(refOf(line), refOf(one!.lines.at(-1)), 'stored once');
      assert.equal(await other!.taker.take(TIMER), undefined, 'no change since');
      assert.equal(await one!.taker.take(TIMER), undefined, 'no change since');
    } finally {
      providers[1]!.dispose();
    }
  });

  it('keep a state of the other if their own first snapshot failed', async () => {
    await work.put('a', '1\n');
    const provider = await work.open();
    const one = setUpTaker({ sessionId: 's0', provider: Promise.resolve(provider) });
    await one.taker.take({ ...TOOL, trigger: 'manual' });
    const other = setUpTaker({ sessionId: 's1', provider: Promise.resolve(provider) });
    assert.ok(await other.taker.take(TIMER));
    assert.equal(await other.taker.take(TIMER), undefined);
  });
});
