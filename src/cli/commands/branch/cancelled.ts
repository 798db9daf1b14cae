import { UserError } from '../../../base/errors.ts';

/**
 * Ctrl-C cancels the task, which then takes back what it did, or says what it did not; a second one ends the program as usual.
 * @throws UserError when it was cancelled before it changed anything
 */
export async function cancelled<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    return await task(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
    throw new UserError('cancelled', 'Cancelled: nothing was changed.', { cause: error });
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
