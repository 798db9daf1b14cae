import assert from 'node:assert/strict';
import type { SnapshotLine } from '../../src/snapshots/common/snapshotLine.ts';
import type { AgentLab, RecordedAgent } from './agentLab.ts';

/** A session of three tools, of which everything else is made. */
export interface Original extends RecordedAgent {
  /** What the provider was told before its third answer: all that was known after the second tool. */
  readonly known: AgentLab['provider']['calls'][number];
}

/** Call in a `describe`, after the lab: records it once for all of its tests. */
export function useOriginal(lab: { readonly current: AgentLab }): { readonly current: Original } {
  const original = { current: undefined as unknown as Original };
  before(async () => {
    const { setup, provider } = lab.current;
    const recorded = await lab.current.record(setup.headless('@@three-tools please', provider.url));
    assert.deepEqual(provider.problems, []);
    assert.equal(provider.scripted.length, 4, recorded.screen.slice(-3000));
    original.current = { ...recorded, known: provider.scripted[2]! };
  });
  return original;
}

/** The moments at which files were kept after a tool. */
export function afterTools({ snapshots }: Pick<RecordedAgent, 'snapshots'>): SnapshotLine[] {
  return snapshots.filter(
    ({ trigger, label }) => trigger === 'tool' && !label.startsWith('Prompt:'),
  );
}
