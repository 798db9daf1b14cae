import type { LaunchSpec } from './launchSpec.ts';

/** What is captured of a session besides its terminal. */
export interface Captures {
  /** Whether the events of known agents are captured. */
  readonly followsAgents: boolean;
  /** This and the following: as in {@link LaunchSpec}. */
  readonly capturesInput?: boolean;
  readonly redacts?: boolean;
  readonly isCaptureOff?: boolean;
  readonly allowsUnreviewedHooks?: boolean;
}

/** @param agent ID of the known agent, if the program is one */
export function launchCaptures(captures: Captures, agent: string | undefined): Partial<LaunchSpec> {
  return {
    ...(agent !== undefined && captures.followsAgents && { agent }),
    ...(captures.capturesInput === true && { capturesInput: true }),
    ...(captures.redacts === true && { redacts: true }),
    ...(captures.isCaptureOff === true && { isCaptureOff: true }),
    ...(captures.allowsUnreviewedHooks === true && { allowsUnreviewedHooks: true }),
  };
}
