import { AGENT_SETUPS } from './agentSetup.ts';
import { agentAtAnyMoment } from './parts/anyMoment.ts';
import { branchedAgent } from './parts/branched.ts';
import { continuedAgent, purgedAgent } from './parts/continued.ts';
import { forkedAgent } from './parts/forked.ts';
import { killedImport } from './parts/killedImport.ts';
import { manualMode } from './parts/manualMode.ts';
import { recordedAgent } from './parts/recorded.ts';
import { statesOfAgent } from './parts/states.ts';
import { useAgentLab } from './useAgentLab.ts';
import { useOriginal } from './useOriginal.ts';

// Real agents. Each uses one home for all its sessions, since a first start is slow.
for (const setup of AGENT_SETUPS) {
  describe(setup.agent, function () {
    this.timeout(400_000);
    const lab = useAgentLab(setup);
    const original = useOriginal(lab);
    recordedAgent(lab, original);
    branchedAgent(lab, original);
    agentAtAnyMoment(lab, original);
    if (setup.agent === 'claudeCode') manualMode(lab);
    if (setup.agent === 'opencode') killedImport(lab, original);
    continuedAgent(lab, original);
    statesOfAgent(setup, lab);
    if (setup.agent === 'codex') forkedAgent(lab, original);
    purgedAgent(lab, original);
  });
}
