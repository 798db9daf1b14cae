// A test runner for StrykerJS: its own mocha runner needs private files that mocha 12 no longer
// has.
import { globSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import Mocha from 'mocha';

/** StrykerJS's instrumentation stores the active mutant and the coverage here. */
const CONTEXT = '__stryker__';
/** StrykerJS's numbers for test results. */
const [PASSED, FAILED] = [0, 1];
/**
 * The slowest test without a limit of its own takes 0.3 s; on a busy machine, ten times as long.
 */
const TEST_TIMEOUT_MS = 8000;

class MochaRunner {
  static inject = ['options'];
  #context = (globalThis[CONTEXT] ??= {});
  #patterns;
  #mocha;
  #isLoaded = false;
  #isFirstRun = false;
  #unhandled;

  constructor(options) {
    this.#patterns = options.projectMocha.spec;
  }

  capabilities() {
    // Node loads an ES module once.
    return { reloadEnvironment: false };
  }

  init() {
    // A fixed seed gives each mutant and each run the same examples.
    fc.configureGlobal({ seed: 1 });
    this.#mocha = new Mocha({ timeout: TEST_TIMEOUT_MS, reporter: class {} });
    this.#mocha.cleanReferencesAfterRun(false);
    const files = this.#patterns.flatMap((pattern) => globSync(pattern).sort());
    for (const file of new Set(files)) this.#mocha.addFile(path.resolve(file));
    const begin = (test) => {
      if (this.#isFirstRun) this.#context.currentTestId = test.fullTitle();
    };
    this.#mocha.suite.beforeEach(function () {
      begin(this.currentTest);
    });
    // test/support/failOnUnhandledRejections.ts does this for a whole run.
    process.on('unhandledRejection', (error) => (this.#unhandled ??= { error }));
    this.#mocha.suite.afterEach(async () => {
      // Node reports unhandled rejections once the microtasks are done.
      await new Promise((resolve) => setImmediate(resolve));
      const unhandled = this.#unhandled;
      this.#unhandled = undefined;
      if (unhandled) throw new Error('Unhandled rejection', { cause: unhandled.error });
    });
  }

  async dryRun() {
    this.#isFirstRun = true;
    const tests = await this.#run();
    this.#isFirstRun = false;
    return { status: 'complete', tests, mutantCoverage: this.#context.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }) {
    const context = this.#context;
    context.hitLimit = hitLimit;
    context.hitCount = hitLimit === undefined ? undefined : 0;
    this.#mocha.grep(testFilter ? anyOf(testFilter) : /(?:)/);
    context.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
    await this.#load();
    const tests = await this.#run(activeMutant.id);
    if (context.hitCount > context.hitLimit) return { status: 'timeout' };
    const failed = tests.filter(({ status }) => status === FAILED);
    const [first] = failed;
    if (first?.isTimeout) return { status: 'timeout', reason: first.failureMessage };
    if (!first) return { status: 'survived', nrOfTests: tests.length };
    const killedBy = failed.map(({ id }) => id);
    const { failureMessage } = first;
    return { status: 'killed', failureMessage, killedBy, nrOfTests: tests.length };
  }

  async #load() {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    await this.#mocha.loadFilesAsync();
  }

  /** @returns the results of the tests, up to the first that fails if a mutant is active */
  async #run(activeMutant) {
    await this.#load();
    this.#context.activeMutant = activeMutant;
    setBail(this.#mocha.suite, activeMutant !== undefined);
    const tests = [];
    let startMs = performance.now();
    const add = (test, status, error) => {
      const name = test.ctx?.currentTest?.fullTitle() ?? test.fullTitle();
      const timeSpentMs = performance.now() - startMs;
      startMs = performance.now();
      const result = { id: name, name, status, timeSpentMs };
      const isTimeout = error?.code === 'ERR_MOCHA_TIMEOUT';
      tests.push(error ? { ...result, failureMessage: String(error.message), isTimeout } : result);
    };
    await new Promise((resolve) => {
      const run = this.#mocha.run(resolve);
      run.on('pass', (test) => add(test, PASSED));
      run.on('fail', (test, error) => add(test, FAILED, error));
    });
    return tests;
  }
}

function anyOf(titles) {
  return new RegExp(titles.map((title) => `^${RegExp.escape(title)}$`).join('|'));
}

function setBail(suite, bail) {
  suite.bail(bail);
  for (const child of suite.suites) setBail(child, bail);
}

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'project-mocha', injectableClass: MochaRunner },
];

/** The option of this runner in the configuration. */
export const strykerValidationSchema = {
  properties: { projectMocha: { type: 'object', required: ['spec'] } },
};
