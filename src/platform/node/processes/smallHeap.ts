import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from enlarging its nursery under a stream of short-lived objects: parsing terminal output for a minute would grow
 * it by 100 MB and gain nothing. Call it first thing in a process.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
