/** Called when the program that reads our standard output has ended, as with `| head`. */
let react: () => void = () => process.exit(0);

export function watchForBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    react();
  });
}

/** Replaces the default reaction, which ends the process. */
export function onBrokenPipe(reaction: () => void): void {
  react = reaction;
}
