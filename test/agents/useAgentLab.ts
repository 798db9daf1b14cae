import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AhSandbox } from '../support/ah.ts';
import type { AgentSetup } from './agentSetup.ts';
import { AgentLab } from './agentLab.ts';

/** Call in a `describe`: its tests share a home, since an agent's first start is slow. */
export function useAgentLab(setup: AgentSetup): { readonly current: AgentLab } {
  const lab = { current: undefined as unknown as AgentLab };
  let sandbox: AhSandbox | undefined;
  before(async () => {
    sandbox = new AhSandbox(await mkdtemp(path.join(tmpdir(), 'ah-test-')));
    lab.current = await AgentLab.make(sandbox, setup);
  });
  after(async () => {
    await sandbox!.dispose();
    await lab.current.provider.stop();
    // A process of the agent may still write.
    await rm(sandbox!.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return lab;
}
