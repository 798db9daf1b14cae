// Loaded by mocha, which ignores unhandled rejections by default.
process.on('unhandledRejection', (error) => {
  console.error('Unhandled rejection:', error);
  process.exitCode = 1;
  process.on('exit', () => (process.exitCode = 1));
});
