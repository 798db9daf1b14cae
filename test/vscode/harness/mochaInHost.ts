import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import type { InHostResult } from './runInHost.ts';

/** Runs in the extension host: loads and runs the suites, and writes results to AH_TEST_RESULTS. */
export async function runSuites(loads: readonly (() => void)[]): Promise<void> {
  const grep = process.env['AH_TEST_GREP'];
  const mocha = new Mocha({ timeout: 120_000, forbidOnly: true, ...(grep && { grep }) });
  // Defines `describe`, `it` and the other globals.
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const load of loads) load();
  const results: InHostResult[] = [];
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => results.push(resultOf(test, 'passed')));
    runner.on('pending', (test) => results.push(resultOf(test, 'pending')));
    // Failing hooks are reported as failures too.
    runner.on('fail', (test, error: Error) =>
      results.push({ ...resultOf(test, 'failed'), error: error.stack ?? String(error) }),
    );
  });
  writeFileSync(process.env['AH_TEST_RESULTS']!, JSON.stringify(results));
  if (failures > 0) throw new Error(`${failures} failing`);
}

function resultOf(test: Mocha.Test | Mocha.Hook, state: InHostResult['state']): InHostResult {
  return { title: test.fullTitle(), durationMs: test.duration ?? 0, state };
}
