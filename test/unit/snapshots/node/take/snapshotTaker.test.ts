import assert from 'node:assert/strict';
import type {
  SnapshotProvider,
  TakeRequest,
} from '../../../../../src/snapshots/common/provider.ts';
import { momentAt, refOf, setUpTaker, TOOL, turns } from '../../../../support/takerUnderTest.ts';

const START = { label: 'start', kind: 'auto', trigger: 'start' } as const;

describe('taking snapshots', () => {
  it('takes the snapshot, then records the moment, then writes the line, then answers', async () => {
    const { taker, steps, finish } = setUpTaker();
    const taking = taker.take(TOOL);
    await turns();
    finish({ ref: 'ref-1' });
    const line = (await taking)!;
    assert.deepEqual(steps, ['settle', 'take s-1', 'record 1 at 10', 'append 1 kept']);
    assert.deepEqual([line.id, line.anchorByte, line.tsNs, line.label], [1n, 10, 1000n, 'edit']);
  });

  it('shares one snapshot among simultaneous requests, and the next among those that follow', async () => {
    const { taker, steps, finish } = setUpTaker();
    const first = [taker.take(TOOL), taker.take({ ...TOOL, label: 'other' })];
    await turns();
    const second = [taker.take(TOOL), taker.take(TOOL), taker.take(TOOL)];
    await turns();
    finish({ ref: 'a' });
    await Promise.all(first);
    await turns();
    finish({ ref: 'b' });
    const lines = await Promise.all([...first, ...second]);
    assert.deepEqual(
      steps.filter((step) => step.startsWith('take')),
      ['take s-1', 'take s-3'],
    );
    assert.deepEqual(lines.map(refOf), ['a', 'a', 'b', 'b', 'b']);
    assert.deepEqual(
      lines.map((line) => line?.id),
      [1n, 2n, 3n, 4n, 5n],
    );
  });

  it('answers with a pending line after the budget, and completes it later', async () => {
    const { taker, steps, clock, finish, lines } = setUpTaker();
    const taking = taker.take(TOOL);
    await turns();
    await clock.advance(150);
    assert.deepEqual((await taking)?.files, { state: 'pending' });
    finish({ ref: 'late' });
    await taker.idle();
    assert.deepEqual(steps.slice(2), ['record 1 at 10', 'append 1 pending', 'append 1 kept']);
    assert.deepEqual(lines.at(-1)!.files, {
      state: 'kept',
      provider: 'git',
      ref: 'late',
      stats: {},
      omissions: [],
      isLate: true,
    });
  });

  for (const isRunning of [false, true])
    it(`marks the first snapshot as late only if the program ran before it; it ${isRunning ? 'ran' : 'did not'}`, async () => {
      let hasStarted = false;
      const { taker, clock, finish, lines } = setUpTaker({ hasStarted: () => hasStarted });
      void taker.take(START);
      await turns();
      await clock.advance(150);
      hasStarted = isRunning;
      finish({ ref: 'first' });
      await taker.idle();
      const { files } = lines.at(-1)!;
      assert.equal(files.state === 'kept' && files.isLate === true, isRunning);
    });

  it('counts the wait for other requests as part of the budget', async () => {
    const { taker, clock, finish, lines } = setUpTaker();
    const person = taker.take({ ...TOOL, kind: 'manual', trigger: 'manual' });
    await turns();
    const agent = taker.take(TOOL);
    await clock.advance(150);
    assert.deepEqual((await agent)?.files, { state: 'pending' });
    finish({ ref: 'a' });
    assert.equal(refOf(await person), 'a');
    await turns();
    finish({ ref: 'b' });
    await taker.idle();
    const states = lines.map(({ id, files }) => `${id} ${files.state}`);
    assert.deepEqual(states, ['2 pending', '1 kept', '2 kept']);
    assert.equal(refOf(lines.at(-1)), 'b');
  });

  it('has no budget for a user’s request', async () => {
    const { taker, clock, finish } = setUpTaker();
    const taking = taker.take({ ...TOOL, kind: 'manual', trigger: 'manual' });
    await turns();
    await clock.advance(1000);
    finish({ ref: 'whole' });
    assert.equal(refOf(await taking), 'whole');
  });

  it('records a moment with the reason when the snapshot fails', async () => {
    const { taker, fail, steps } = setUpTaker();
    const taking = taker.take(TOOL);
    await turns();
    fail(new Error('The disk is full.'));
    assert.deepEqual((await taking)?.files, { state: 'failed', reason: 'The disk is full.' });
    assert.ok(steps.includes('forget'), 'what had changed is looked for again next time');
  });

  it('gives the reason when no provider works', async () => {
    const { taker } = setUpTaker({ provider: Promise.reject(new Error('Not a folder of yours.')) });
    const { files } = (await taker.take(TOOL))!;
    assert.deepEqual(files, { state: 'failed', reason: 'Not a folder of yours.' });
  });

  it('records nothing if nothing changed and only changes were requested', async () => {
    const { taker, steps, finish } = setUpTaker();
    const timer = { ...TOOL, trigger: 'timer', isOnlyIfChanged: true } as const;
    const before = taker.take(TOOL);
    await turns();
    finish({ ref: 'a' });
    await before;
    const alone = taker.take(timer);
    await turns();
    finish({ ref: 'a', isUnchanged: true });
    assert.equal(await alone, undefined);
    assert.deepEqual(steps.slice(-2), ['settle', 'take s-2']);
    const [first, second] = [taker.take(timer), taker.take(TOOL)];
    await turns();
    finish({ ref: 'a', isUnchanged: true });
    assert.deepEqual([await first, refOf(await second)], [undefined, 'a']);
    const changed = taker.take(timer);
    await turns();
    finish({ ref: 'b' });
    assert.equal(refOf(await changed), 'b');
  });

  it('gives up a snapshot that never ends', async () => {
    const { taker, clock, lines } = setUpTaker();
    const taking = taker.take(TOOL);
    await turns();
    await clock.advance(150);
    await taking;
    await clock.advance(60_000);
    await taker.idle();
    assert.deepEqual(lines.at(-1)!.files, {
      state: 'failed',
      reason: 'The snapshot took longer than 60 seconds.',
    });
  });

  it('rejects when the moment can’t be recorded, and continues', async () => {
    let isBroken = true;
    const { taker, finish } = setUpTaker({
      record: () => (isBroken ? Promise.reject(new Error('over')) : Promise.resolve(momentAt(1n))),
    });
    const first = taker.take(TOOL);
    await turns();
    finish({ ref: 'a' });
    await assert.rejects(first, /over/);
    isBroken = false;
    const second = taker.take(TOOL);
    await turns();
    finish({ ref: 'b' });
    assert.equal(refOf(await second), 'b');
  });

  it('reports which snapshots were incremental', async () => {
    const trusting: unknown[] = [];
    const noted: string[] = [];
    const { taker, finish, clock } = setUpTaker({
      changes: { take: () => Promise.resolve(['a']), forget: () => {} },
      append: ([line], sinceNs) => {
        trusting.push([line!.id, line!.files.state, sinceNs]);
        return Promise.resolve();
      },
      onDidTrust: ({ ref }, startedNs) => noted.push(`${ref} ${startedNs}`),
    });
    const startedNs = clock.nowNs();
    const whole = taker.take(TOOL);
    await turns();
    finish({ ref: 'whole' });
    await whole;
    const partial = taker.take(TOOL);
    await turns();
    await clock.advance(150);
    await partial;
    finish({ ref: 'partial', isPartial: true });
    await taker.idle();
    assert.deepEqual(trusting, [
      [1n, 'kept', undefined],
      [2n, 'pending', undefined],
      [2n, 'kept', startedNs],
    ]);
    assert.deepEqual(noted, [`partial ${startedNs}`]);
  });

  it('takes an unnumbered snapshot before the first moment', async () => {
    let kept = 0;
    const { taker, steps, finish } = setUpTaker({ onDidKeep: () => (kept += 1) });
    taker.prepare(START);
    await turns();
    const taking = taker.take(START);
    await turns();
    assert.deepEqual(steps, ['take s-ahead']);
    finish({ ref: 'ahead' });
    await turns();
    assert.equal(kept, 0, 'that of the moment itself is waited for');
    finish({ ref: 'ahead', isUnchanged: true });
    const line = await taking;
    assert.deepEqual([line?.id, refOf(line)], [1n, 'ahead']);
    assert.equal(kept, 1);
    const first = ['settle', 'take s-1', 'record 1 at 10', 'append 1 kept'];
    assert.deepEqual(steps, ['take s-ahead', ...first]);
  });

  it('reuses the earlier snapshot if the program already runs', async () => {
    const asked: (readonly string[] | undefined)[] = [];
    let hasStarted = false;
    const take = (request: TakeRequest) => {
      asked.push(request.reuseIfExists?.());
      return Promise.resolve({ ref: 'a', isUnchanged: false, stats: {}, omissions: [] });
    };
    const provider = Promise.resolve({ name: 'git', take } as unknown as SnapshotProvider);
    const { taker } = setUpTaker({ provider, hasStarted: () => hasStarted });
    await taker.take(START);
    hasStarted = true;
    await taker.take(START);
    await taker.take(TOOL);
    assert.deepEqual(asked, [[], ['s-ahead'], undefined]);
  });

  it('answers an agent before a pending moment is on disk, and a line says kept only after', async () => {
    let onDisk = () => {};
    const disk = new Promise<void>((resolve) => (onDisk = resolve));
    const record = () => Promise.resolve({ tsNs: 1000n, onDisk: disk });
    const { taker, lines, clock, finish } = setUpTaker({ record });
    const taking = taker.take(TOOL);
    await turns();
    await clock.advance(150);
    assert.equal((await taking)?.files.state, 'pending');
    finish({ ref: 'a' });
    await turns();
    assert.deepEqual(
      lines.map(({ files }) => files.state),
      ['pending'],
    );
    onDisk();
    await taker.idle();
    assert.deepEqual(
      lines.map(({ files }) => files.state),
      ['pending', 'kept'],
    );
  });

  it('records waiting requests before the recording ends, and completes them after it', async () => {
    let isOver = false;
    const { taker, lines, finish, fail } = setUpTaker({
      record: (id) =>
        isOver ? Promise.reject(new Error('over')) : Promise.resolve(momentAt(1000n + id)),
    });
    const states = () => lines.map(({ id, files }) => `${id} ${files.state}`);
    const manual = taker.take({ ...TOOL, kind: 'manual', trigger: 'manual' });
    await turns();
    const timer = taker.take({ ...TOOL, trigger: 'timer', isOnlyIfChanged: true });
    const end = taker.take({ ...TOOL, trigger: 'end' });
    await taker.recordWaiting();
    isOver = true;
    assert.deepEqual(states(), ['1 pending', '2 pending']);
    assert.deepEqual([(await end)?.tsNs, (await end)?.files.state], [1002n, 'pending']);
    finish({ ref: 'a' });
    assert.equal(refOf(await manual), 'a', 'a person gets the result');
    await turns();
    fail(new Error('The disk is full.'));
    await assert.rejects(timer, /over/);
    await taker.idle();
    assert.deepEqual(states().slice(2), ['1 kept', '2 failed']);
    assert.deepEqual(lines.at(-1)!.files, { state: 'failed', reason: 'The disk is full.' });
  });

  it('records all moments of a shared snapshot before it writes the lines', async () => {
    const recorded: bigint[] = [];
    let isOver = false;
    const { taker, lines, finish } = setUpTaker({
      record: (id) => {
        if (isOver) return Promise.reject(new Error('The session is over.'));
        recorded.push(id);
        return new Promise((resolve) => setTimeout(resolve, 20, momentAt(1000n)));
      },
    });
    const taking = [taker.take(TOOL), taker.take(TOOL), taker.take(TOOL)];
    await turns();
    finish({ ref: 'a' });
    await turns();
    await taker.recordWaiting();
    isOver = true;
    assert.deepEqual((await Promise.all(taking)).map(refOf), ['a', 'a', 'a']);
    assert.deepEqual(recorded, [1n, 2n, 3n]);
    assert.deepEqual(
      lines.map(({ id }) => id),
      [1n, 2n, 3n],
    );
  });

  it('records each moment once if the recording ends during the snapshot', async () => {
    const { taker, steps, clock, finish } = setUpTaker();
    const taking = taker.take(TOOL);
    await turns();
    const recording = taker.recordWaiting();
    await clock.advance(150);
    await recording;
    finish({ ref: 'a' });
    await taker.idle();
    await taker.recordWaiting();
    assert.equal((await taking)?.files.state, 'pending');
    assert.deepEqual(
      steps.filter((step) => /^(record|append)/.test(step)),
      ['record 1 at 10', 'append 1 pending', 'append 1 kept'],
    );
  });
});
