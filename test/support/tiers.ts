/**
 * Registers a test that takes more than five seconds. `npm test` leaves it out; `npm run test:all` and the command of its suite
 * run it, and so does mocha by itself.
 */
export function slowTest(title: string, body: (this: Mocha.Context) => PromiseLike<void>): void {
  if (process.env['AH_TIER'] !== 'quick') it(title, body);
}
