import { Catalogue } from '../sessions/node/catalogue.ts';
import { markInterrupted } from '../sessions/node/liveness.ts';

/** Reports each session whose recorder was killed, once. */
export async function reportInterrupted(): Promise<void> {
  for (const { meta } of await markInterrupted(new Catalogue())) {
    process.stderr.write(
      `ah: The recorder of session ${meta.id} was killed. The recording up to then is in ${meta.recording}.\n`,
    );
  }
}
