import { logTest } from '../../support/testLog.ts';
import type { InHostResult } from './runInHost.ts';

/** Prints the results. @returns whether no test failed and at least one ran, if one had to */
export function report(results: readonly InHostResult[], mayBeEmpty = false): boolean {
  const marks = { passed: '✔', failed: '✘', pending: '-' };
  for (const { state, title, durationMs, error } of results) {
    console.log(`  ${marks[state]} ${title} (${durationMs}ms)`);
    if (error) console.log(error.replace(/^/gm, '      '));
    logTest({ kind: 'test', title, state, ms: durationMs });
  }
  const count = (state: InHostResult['state']) =>
    results.filter((result) => result.state === state).length;
  // In Mocha's format, so that scripts count these tests too.
  console.log(`\n  ${count('passed')} passing, in the extension host`);
  if (count('failed') > 0) console.log(`  ${count('failed')} failing, in the extension host`);
  return count('failed') === 0 && (mayBeEmpty || count('passed') > 0);
}
