import * as vscode from 'vscode';

type Progress = vscode.Progress<{ message?: string; increment?: number }>;

/** Runs a task with a progress notification whose Cancel button aborts the signal. */
export function withCancellableProgress<T>(
  title: string,
  task: (signal: AbortSignal, progress: Progress) => Promise<T>,
): Thenable<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    return task(stop.signal, progress);
  });
}

/** Like {@link withCancellableProgress}, for a task that counts its steps. */
export function withCountedProgress<T>(
  title: string,
  task: (options: {
    readonly signal: AbortSignal;
    readonly onProgress: (count: number, total: number) => void;
  }) => Promise<T>,
): Thenable<T> {
  return withCancellableProgress(title, (signal, progress) => {
    const onProgress = (count: number, total: number) =>
      progress.report({ increment: 100 / total, message: `${count} / ${total}` });
    return task({ signal, onProgress });
  });
}
