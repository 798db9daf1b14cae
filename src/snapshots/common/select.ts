import { messageOf, UserError } from '../../base/errors.ts';
import {
  PROVIDER_ORDER,
  type Detection,
  type ProviderName,
  type SnapshotProvider,
} from './provider.ts';

export type Detectors = Readonly<Record<ProviderName, () => Promise<Detection>>>;

export interface Refusal {
  readonly name: ProviderName;
  /** A sentence for the user. */
  readonly reason: string;
}

export interface Selection {
  /** Undefined when none works. */
  readonly provider: SnapshotProvider | undefined;
  /** Why it is none of the others, in the order of choice. */
  readonly refusals: readonly Refusal[];
}

/** The first provider that works. One that fails while it is tried is refused like any other. */
export async function selectProvider(
  detectors: Detectors,
  order: readonly ProviderName[] = PROVIDER_ORDER,
): Promise<Selection> {
  let provider: SnapshotProvider | undefined;
  const refusals: Refusal[] = [];
  for (const name of order) {
    if (provider !== undefined) {
      refusals.push({ name, reason: `Not needed: ${provider.name} works here and comes first.` });
      continue;
    }
    const detection = await detectors[name]().catch(refusalOf);
    if ('provider' in detection) ({ provider } = detection);
    else refusals.push({ name, reason: detection.refusal });
  }
  return { provider, refusals };
}

function refusalOf(error: unknown): Detection {
  const message = messageOf(error);
  return { refusal: error instanceof UserError ? message : `Could not be tried: ${message}` };
}
