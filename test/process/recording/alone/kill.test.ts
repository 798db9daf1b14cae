import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { outputOf, readRecording, until } from '../../../support/ah.ts';
import { useSandbox } from '../../../support/useSandbox.ts';
import { isSoak } from '../../../support/soak.ts';
import { isQuick } from '../../../support/tiers.ts';

const RUNS = isSoak ? 200 : isQuick ? 4 : 20;
/** Most output that a killed recorder may lose. */
const MAX_LOSS_MS = 300;
/** The program prints every 2 ms: after a longer pause, the machine had other work. */
const STILL_MS = 50;
const TRIES = 3;
/**
 * Prints the time repeatedly and logs its output in a file: output that the recording lacks was lost.
 * The time alone does not show it, because the program may have printed nothing.
 */
const CLOCK_PROGRAM = `
  const { appendFileSync, writeSync } = require('node:fs');
  setInterval(() => {
    const line = Date.now() + '\\n';
    writeSync(1, line);
    appendFileSync(process.argv[1], line);
  }, 2);`;

describe('a recorder that is killed', () => {
  const sandbox = useSandbox();

  it(`leaves a readable file that misses at most the last ${MAX_LOSS_MS} ms, ${RUNS} times`, async function () {
    this.timeout(RUNS * 10_000);
    const losses: number[] = [];
    for (let run = 0; run < RUNS; run++) losses.push(await lossOf(run));
    console.log(
      `      lost at most ${Math.max(...losses)} ms, ${Math.round(average(losses))} ms on average`,
    );
  });

  it('is reported once by the next command that starts, which marks the session', async () => {
    const launched = await sandbox.current.launch(['/bin/sh', '-c', 'echo hello; sleep 60']);
    await until(
      async () => (await readRecording(launched.recording)).records.length > 1,
      'some output',
    );
    await sandbox.current.killRecorders();
    assert.equal((await launched.session()).meta.state, 'running');
    const first = await sandbox.current.run('agent', 'record', '--', '/bin/true');
    assert.match(
      first.stderr,
      new RegExp(`session ${launched.id} was killed.*${launched.recording}`),
    );
    assert.equal((await launched.session()).meta.state, 'interrupted');
    const second = await sandbox.current.run('agent', 'sessions');
    assert.equal(second.stderr, '');
    assert.match(second.stdout.toString(), new RegExp(`${launched.id} +interrupted`));
  });

  /** Repeats the attempt if the machine was too busy to judge the recorder. */
  async function lossOf(run: number): Promise<number> {
    let loss = await killAndMeasure(run, 0);
    for (let attempt = 1; attempt < TRIES && loss.ms > MAX_LOSS_MS && loss.stoodStill; attempt++)
      loss = await killAndMeasure(run, attempt);
    assert.ok(loss.ms <= MAX_LOSS_MS, `run ${run} lost ${loss.ms} ms`);
    return loss.ms;
  }

  async function killAndMeasure(
    run: number,
    attempt: number,
  ): Promise<{ ms: number; stoodStill: boolean }> {
    const printed = path.join(sandbox.current.folder, `printed-${run}-${attempt}`);
    const launched = await sandbox.current.launch([process.execPath, '-e', CLOCK_PROGRAM, printed]);
    await until(
      async () => (await readRecording(launched.recording)).records.length > 1,
      'some output',
    );
    await sleep((run * 37) % 600); // A different moment between two blocks in each run.
    const pids = sandbox.current.recorders();
    const killedAtMs = Date.now();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await sandbox.current.killRecorders();
    const { records } = await readRecording(launched.recording);
    const recorded = new Set(outputOf(records).toString('latin1').split('\r\n'));
    assert.ok(recorded.size > 1, 'something is recorded');
    const before = readFileSync(printed, 'latin1')
      .split('\n')
      .filter((line) => line !== '' && Number(line) < killedAtMs);
    const firstLost = before.find((line) => !recorded.has(line));
    const ms = firstLost === undefined ? 0 : killedAtMs - Number(firstLost);
    const times = [...before.map(Number), killedAtMs].filter((time) => killedAtMs - time < 1000);
    const stoodStill = times.some((time, at) => at > 0 && time - times[at - 1]! > STILL_MS);
    return { ms, stoodStill };
  }
});

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
