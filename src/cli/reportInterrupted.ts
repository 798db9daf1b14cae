import { Catalogue } from '../sessions/node/catalogue.ts';
import { markInterrupted } from '../sessions/node/liveness.ts';

/** Tells, once, of sessions whose recorder was killed since the last look. */
export async function reportInterrupted(): Promise<void> {
  for (const { meta } of await markInterrupted(new Catalogue())) {
    process.stderr.write(
      `ah: The recorder of session ${meta.id} was killed. What it wrote until then is kept in ${meta.recording}.\n`,
    );
  }
}
