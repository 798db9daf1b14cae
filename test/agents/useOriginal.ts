import assert from 'node:assert/strict';
import type { SnapshotLine } from '../../src/snapshots/common/snapshotLine.ts';
import type { AgentLab, RecordedAgent } from './agentLab.ts';

/** A session with three tool calls, the original of all branches. */
export interface Original extends RecordedAgent {
  /** The conversation before the third answer, which a branch after the second tool must know. */
  readonly known: AgentLab['provider']['calls'][number];
}

/** Call in a `describe` after `useAgentLab`: records the session once for all tests. */
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

/** The snapshots after tool calls. */
export function afterTools({ snapshots }: Pick<RecordedAgent, 'snapshots'>): SnapshotLine[] {
  return snapshots.filter(
    ({ trigger, label }) => trigger === 'tool' && !label.startsWith('Prompt:'),
  );
}
