import type { LaunchSpec } from './launchSpec.ts';

/** What is kept of a session beside what its terminal shows. */
export interface Captures {
  /** Whether what known agents do is followed. */
  readonly followsAgents: boolean;
  /** As in a {@link LaunchSpec}. */
  readonly capturesInput?: boolean;
  readonly redacts?: boolean;
  readonly isCaptureOff?: boolean;
  readonly allowsUnreviewedHooks?: boolean;
}

/** @param agent id of the known agent that is run, if it is one */
export function launchCaptures(captures: Captures, agent: string | undefined): Partial<LaunchSpec> {
  return {
    ...(agent !== undefined && captures.followsAgents && { agent }),
    ...(captures.capturesInput === true && { capturesInput: true }),
    ...(captures.redacts === true && { redacts: true }),
    ...(captures.isCaptureOff === true && { isCaptureOff: true }),
    ...(captures.allowsUnreviewedHooks === true && { allowsUnreviewedHooks: true }),
  };
}
