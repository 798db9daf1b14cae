import { once } from 'node:events';
import type { Readable } from 'node:stream';

/**
 * Copies to standard output as fast as it accepts data. Unlike pipeline(), leaves it open
 * afterwards.
 */
export async function writeOut(text: Readable): Promise<void> {
  for await (const piece of text) {
    if (!process.stdout.write(piece as string | Uint8Array)) await once(process.stdout, 'drain');
  }
}
