import { UserError } from '../../../base/errors.ts';

/**
 * Lets Ctrl-C abort the task's signal, so that the task can undo its work; a second Ctrl-C ends the
 * process.
 * @throws UserError when the task was cancelled before it changed anything
 */
export async function withCancellation<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    return await task(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
    throw new UserError('cancelled', 'Cancelled; nothing was changed.', { cause: error });
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
