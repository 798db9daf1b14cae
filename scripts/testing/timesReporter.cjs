// Mocha's spec output, plus a log line for each test and hook for `npm run test:times`.
const { appendFileSync } = require('node:fs');
const path = require('node:path');
const { reporters } = require('mocha');

class TimesReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const log = process.env.AH_TEST_LOG;
    if (!log) return;
    const write = (kind, runnable) => {
      const file = runnable.file && path.relative(process.cwd(), runnable.file);
      const { state = kind === 'hook' ? 'passed' : 'pending', duration = 0 } = runnable;
      const entry = { kind, title: runnable.fullTitle(), file, state, ms: Math.round(duration) };
      appendFileSync(log, `${JSON.stringify(entry)}\n`);
    };
    runner.on('test end', (test) => write('test', test));
    runner.on('hook end', (hook) => write('hook', hook));
    // A failed hook ends its suite without an end event; its tests never run.
    runner.on('fail', (failed) => failed.type === 'hook' && write('test', failed));
  }
}

module.exports = TimesReporter;
