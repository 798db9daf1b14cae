/** Whether this is a run of `npm test`. Mocha alone, and commands of single suites, run everything. */
export const isQuick = process.env['AH_TIER'] === 'quick';

/** Registers a test that takes more than five seconds. `npm test` leaves it out; `npm run test:all` runs it. */
export function slowTest(title: string, body: (this: Mocha.Context) => PromiseLike<void>): void {
  if (!isQuick) it(title, body);
}
