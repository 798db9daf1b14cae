/** What to do when nobody reads our output any more (`| head`): by default, to leave without a word. */
let react: () => void = () => process.exit(0);

export function watchForBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    react();
  });
}

/** Replaces the reaction, for a command that has something to end first. */
export function onBrokenPipe(reaction: () => void): void {
  react = reaction;
}
