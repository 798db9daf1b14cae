// Measures how slow this machine is at present, to scale the time limits of tests.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Milliseconds for three starts of Node and a hash of 64 MB on the reference machine, when idle.
 */
const REFERENCE_MS = 250;
const MAX_PACE = 10;

/** @returns {number} 1 on a machine as fast as the reference or faster, 2 on one half as fast, … */
export function measurePace() {
  const work = `const hash = require('node:crypto').createHash('sha256');
    for (let n = 0; n < 64; n++) hash.update(Buffer.alloc(1 << 20, n));
    hash.digest();`;
  const start = performance.now();
  for (const script of ['0', '0', work]) spawnSync(process.execPath, ['-e', script]);
  const pace = (performance.now() - start) / REFERENCE_MS;
  return Math.round(Math.min(Math.max(pace, 1), MAX_PACE) * 10) / 10;
}

/** Processor time of the whole machine since its start; 0 if the system does not report it. */
export function busyMs() {
  try {
    const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]
      .trim()
      .split(/\s+/)
      .slice(1)
      .map(Number);
    const TICK_MS = 10;
    return (user + nice + system + irq + softirq) * TICK_MS;
  } catch {
    return 0; // Only Linux has this file; the table then says 0 % processor.
  }
}
