// Loaded by mocha, which by itself lets a rejection that nobody handles pass in silence.
process.on('unhandledRejection', (error) => {
  console.error('Unhandled rejection:', error);
  process.exitCode = 1;
  process.on('exit', () => (process.exitCode = 1));
});
