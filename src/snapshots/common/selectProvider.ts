import { messageOf, UserError } from '../../base/errors.ts';
import {
  PROVIDER_ORDER,
  type Detection,
  type ProviderName,
  type SnapshotProvider,
} from './provider.ts';

export type ProviderDetectors = Readonly<Record<ProviderName, () => Promise<Detection>>>;

export interface Refusal {
  readonly name: ProviderName;
  /** A sentence for the user. */
  readonly reason: string;
}

export interface Selection {
  /** Undefined if no provider works. */
  readonly provider: SnapshotProvider | undefined;
  /** Why the other providers were not selected, in the order of preference. */
  readonly refusals: readonly Refusal[];
}

/** Selects the first provider that works. A provider whose detection throws counts as refused. */
export async function selectProvider(
  detectors: ProviderDetectors,
  order: readonly ProviderName[] = PROVIDER_ORDER,
): Promise<Selection> {
  let provider: SnapshotProvider | undefined;
  const refusals: Refusal[] = [];
  for (const name of order) {
    if (provider !== undefined) {
      refusals.push({ name, reason: `Not needed: ${provider.name} works here and is preferred.` });
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
  return { refusal: error instanceof UserError ? message : `Detection failed: ${message}` };
}
