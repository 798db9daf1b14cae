import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { adapterOf } from '../../../../../src/agents/adapters/adapters.ts';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import { LiveSession } from '../../../../../src/agents/common/liveSession.ts';
import { TerminalTitles } from '../../../../../src/host/pty/terminalTitles.ts';
import { AgentCapture } from '../../../../../src/agents/node/capture/agentCapture.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const PTY = path.resolve(import.meta.dirname, '../../../../fixtures/pty');
const NS_PER_MS = 1_000_000n;

interface Shown {
  readonly status: string;
  readonly ms: number;
}

/** Replays the bytes that the real agent printed, with their times. */
describe('states that an agent reports to its terminal', () => {
  const folder = useTemporaryFolder();

  async function shown(withStates: boolean): Promise<{ shown: Shown[]; events: AgentEvent[] }> {
    const bytes = readFileSync(path.join(PTY, 'codex.bin'));
    const { chunks } = JSON.parse(
      readFileSync(path.join(PTY, 'codex.bin.timing.json'), 'utf8'),
    ) as { chunks: [number, number][] };
    let nowMs = 0;
    const clock = { nowNs: () => BigInt(nowMs) * NS_PER_MS };
    const events: AgentEvent[] = [];
    const live = new LiveSession();
    const capture = await AgentCapture.open({
      adapter: adapterOf('codex')!,
      place: { env: {}, home: folder.path, cwd: folder.path },
      folder: path.join(folder.path, `capture ${withStates}`),
      clock,
      mayBypassTrust: false,
      waitMs: () => 0,
      onEvents: (fresh) => {
        for (const event of fresh) {
          events.push(event);
          live.push(event);
        }
      },
      onError: (error) => assert.fail(String(error)),
    });
    const titles = new TerminalTitles({
      onTitle: (title) => capture.titleChanged(title),
      onState: (said) => withStates && capture.stateReported(said),
    });
    const changes: Shown[] = [];
    let offset = 0;
    for (const [ms, length] of chunks) {
      nowMs = ms;
      titles.push(bytes.subarray(offset, offset + length));
      offset += length;
      const { status } = live.status(clock.nowNs());
      if (status !== changes.at(-1)?.status) changes.push({ status, ms });
    }
    capture.dispose();
    return { shown: changes, events };
  }

  it('replace its title, which is later and blinks', async () => {
    const told = await shown(true);
    const titled = await shown(false);
    assert.deepEqual(
      told.shown.map(({ status }) => status),
      [
        'unknown',
        'waiting',
        'running',
        'waiting',
        'running',
        'waiting_approval',
        'running',
        'waiting_approval',
        'running',
        'waiting',
        'running',
        'waiting_approval',
        'running',
        'waiting',
        'running',
        'waiting',
      ],
    );
    const asked = ({ shown: all }: { shown: Shown[] }): number[] =>
      all.filter(({ status }) => status === 'waiting_approval').map(({ ms }) => ms);
    assert.equal(asked(told).length, 3);
    assert.equal(asked(titled).length, 3);
    const sooner = asked(told).map((ms, nth) => asked(titled)[nth]! - ms);
    // Measured: 653, 0 and 774 ms.
    assert.ok(sooner.every((ms) => ms >= 0) && Math.max(...sooner) > 700, sooner.join());
    for (const event of told.events.slice(1)) {
      assert.equal(event.source, 'osc');
      assert.equal(event.kind, 'status.changed');
    }
    assert.equal(told.events.at(-1)?.confidence, 'high');
    assert.equal(titled.events.at(-1)?.confidence, 'medium');
  });

  it('are valid until the next one, however long nothing is printed', () => {
    const live = new LiveSession();
    const event = (
      status: 'running' | 'waiting_approval',
      confidence: 'high' | 'medium',
    ): AgentEvent => ({
      id: `${status}${confidence}`,
      confidence,
      agent: 'codex',
      timeNs: 0n,
      status,
      source: 'osc',
      kind: 'status.changed',
      evidence: '',
    });
    const hour = 3600n * 1000n * NS_PER_MS;
    live.push(event('running', 'medium'));
    assert.notEqual(live.status(hour).status, 'running');
    live.push(event('running', 'high'));
    const { status, confidence, reason } = live.status(hour);
    assert.deepEqual([status, confidence, reason], ['running', 'high', 'reports-working']);
    live.push(event('waiting_approval', 'high'));
    assert.equal(live.status(hour).reason, 'reports-asking');
  });

  it('are ignored when they have another meaning', () => {
    const state = (said: string) => adapterOf('codex')!.statusOfState!(said);
    assert.equal(state('state=blocked:app=codex:kind=permission'), 'waiting_approval');
    assert.equal(state('app=codex:state=done'), 'waiting');
    for (const said of ['', '?', 'state=clear', 'state=constructor', 'substate=idle', 'state='])
      assert.equal(state(said), undefined, said);
  });
});
