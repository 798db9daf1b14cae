import type { LaunchSpec } from './launchSpec.ts';

/** What is captured of a session besides its terminal. */
export interface Captures {
  /** Whether the events of known agents are captured. */
  readonly followsAgents: boolean;
  /** Whether typed input is recorded, where the terminal shows it. */
  readonly capturesInput?: boolean;
  /** Whether recognizable secrets are replaced in everything that is written. */
  readonly redacts?: boolean;
  /** Whether only the terminal is recorded until the user resumes capture. */
  readonly isCaptureOff?: boolean;
  /** Whether an interactive shell announces its commands. */
  readonly integratesShell?: boolean;
  /** Whether the agent may run AH's hooks without the user's review. */
  readonly allowsUnreviewedHooks?: boolean;
}

/** @param agent ID of the known agent, if the program is one */
export function launchCaptures(captures: Captures, agent: string | undefined): Partial<LaunchSpec> {
  return {
    ...(agent !== undefined && captures.followsAgents && { agent }),
    ...(captures.capturesInput === true && { capturesInput: true }),
    ...(captures.redacts === true && { redacts: true }),
    ...(captures.integratesShell === true && { integratesShell: true }),
    ...(captures.isCaptureOff === true && { isCaptureOff: true }),
    ...(captures.allowsUnreviewedHooks === true && { allowsUnreviewedHooks: true }),
  };
}
