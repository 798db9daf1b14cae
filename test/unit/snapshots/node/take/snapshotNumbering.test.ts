import assert from 'node:assert/strict';
import type {
  SnapshotProvider,
  TakeRequest,
} from '../../../../../src/snapshots/common/provider.ts';
import { setUpTaker, TOOL, turns } from '../../../../support/takerUnderTest.ts';

const TIMER = {
  ...TOOL,
  label: 'Every minute',
  trigger: 'timer',
  isOnlyIfChanged: true,
  labelOfChanges: (paths: readonly string[]) => `changed: ${paths.join()}`,
} as const;

/** Takes the session's first snapshot: what is unchanged is so since then. */
async function takeFirst(
  { taker, finish }: Pick<ReturnType<typeof setUpTaker>, 'taker' | 'finish'>,
  ref: string,
): Promise<void> {
  const first = taker.take(TOOL);
  await turns();
  finish({ ref });
  await first;
}

describe('the taker of snapshots', () => {
  it('numbers without gaps: prompts without changes, then tools, give 1, 2, 3', async () => {
    const { taker, steps, lines, finish } = setUpTaker();
    let last = 'start';
    await takeFirst({ taker, finish }, last);
    const prompt = { ...TOOL, label: 'Prompt: go', isOnlyIfChanged: true } as const;
    for (const ref of ['a', 'b', 'c']) {
      const prompts = [taker.take(prompt), taker.take(prompt)];
      await turns();
      finish({ ref: last, isUnchanged: true });
      assert.deepEqual(await Promise.all(prompts), [undefined, undefined]);
      const tool = taker.take({ ...TOOL, label: ref });
      await turns();
      finish({ ref });
      await tool;
      last = ref;
    }
    assert.deepEqual(
      lines.map(({ id, label }) => `${id} ${label}`),
      ['1 edit', '2 a', '3 b', '4 c'],
    );
    assert.deepEqual(
      steps.filter((step) => step.startsWith('take')),
      ['s-1', 's-2', 's-2', 's-3', 's-3', 's-4', 's-4'].map((name) => `take ${name}`),
    );
  });

  it('gives the last numbers of a shared snapshot to requests that may record nothing', async () => {
    const { taker, steps, lines, finish } = setUpTaker();
    await takeFirst({ taker, finish }, 'a');
    const prompt = { ...TOOL, label: 'Prompt: go', isOnlyIfChanged: true } as const;
    for (const isUnchanged of [true, false]) {
      const taking = [taker.take(prompt), taker.take(TOOL)];
      await turns();
      finish({ ref: 'a', isUnchanged });
      await Promise.all(taking);
    }
    assert.deepEqual(
      lines.map(({ id, label }) => `${id} ${label}`),
      ['1 edit', '2 edit', '3 edit', '4 Prompt: go'],
    );
    assert.ok(steps.includes('take s-3'), 'named after the first number');
  });

  it('never goes back to a number below that of a later snapshot', async () => {
    const { taker, clock, lines, finish } = setUpTaker();
    await takeFirst({ taker, finish }, 'a');
    const timer = taker.take({ ...TOOL, trigger: 'timer', isOnlyIfChanged: true });
    await turns();
    const late = taker.take(TOOL);
    await clock.advance(150);
    assert.equal((await late)?.id, 3n, 'the first is being taken');
    finish({ ref: 'a', isUnchanged: true });
    assert.equal(await timer, undefined);
    await turns();
    finish({ ref: 'b' });
    await taker.idle();
    const next = taker.take(TOOL);
    await turns();
    finish({ ref: 'c' });
    await next;
    assert.deepEqual(
      lines.map(({ id, files }) => `${id} ${files.state}`),
      ['1 kept', '3 pending', '3 kept', '4 kept'],
    );
  });

  it('labels a snapshot by what changed if no request waits for it', async () => {
    const compared: string[] = [];
    let isRemoved = false;
    const take = ({ name }: TakeRequest) =>
      Promise.resolve({ ref: name, isUnchanged: false, stats: {}, omissions: [] });
    const diff = (...refs: [string, string, AbortSignal]) => {
      compared.push(`${refs[0]} ${refs[1]}`);
      if (isRemoved) return Promise.reject(new Error('removed'));
      return Promise.resolve([{ path: 'a.ts', kind: 'modified' }]);
    };
    const provider = Promise.resolve({ name: 'git', take, diff } as unknown as SnapshotProvider);
    const { taker } = setUpTaker({ provider });
    const labels = async (...requests: (typeof TIMER | typeof TOOL)[]) =>
      (await Promise.all(requests.map((each) => taker.take(each)))).map((line) => line?.label);
    assert.deepEqual(await labels(TIMER), ['Every minute'], 'nothing to compare with');
    assert.deepEqual(await labels(TIMER), ['changed: a.ts']);
    assert.deepEqual(await labels(TIMER, TOOL), ['Every minute', 'edit'], 'a tool waits');
    isRemoved = true;
    assert.deepEqual(await labels(TIMER), ['Every minute']);
    assert.deepEqual(compared, ['s-1 s-2', 's-3 s-5']);
  });

  /**
   * A taker whose second snapshot is being compared for its label, until a request has to be
   * served.
   */
  async function setUpComparing() {
    const take = ({ name }: TakeRequest) =>
      Promise.resolve({ ref: name, isUnchanged: false, stats: {}, omissions: [] });
    let isComparing = false;
    const diff = (_from: string, _to: string, signal: AbortSignal) => {
      isComparing = true;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    };
    const provider = Promise.resolve({ name: 'git', take, diff } as unknown as SnapshotProvider);
    const all = setUpTaker({ provider });
    await all.taker.take(TOOL);
    all.steps.length = 0;
    const named = all.taker.take(TIMER);
    await turns();
    assert.ok(isComparing);
    return { ...all, named };
  }

  it('takes the snapshot of a tool at once although another is being named', async () => {
    const { taker, named } = await setUpComparing();
    const files = (await taker.take(TOOL))?.files;
    assert.ok(files?.state === 'kept' && files.isLate !== true);
    assert.equal((await named)?.label, 'Every minute');
  });

  it('records the moment of a snapshot that is being named when the session ends', async () => {
    const { taker, steps, named } = await setUpComparing();
    await taker.recordWaiting();
    assert.ok(steps.includes('record 2 at 10'));
    assert.equal((await named)?.label, 'Every minute');
    assert.equal(steps.filter((step) => step.startsWith('record')).length, 1);
  });
});
