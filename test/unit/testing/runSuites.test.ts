import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const runner = path.resolve(import.meta.dirname, '../../../scripts/testing/runSuites.mjs');

/** The code of a suite that writes these results to its log. */
function suite(name: string, states: readonly string[], code = 0, hasTests = true): string {
  const lines = states.map((state, n) =>
    JSON.stringify({ kind: 'test', title: `${name} ${n}`, state, ms: 1 }),
  );
  return `{
    name: '${name}', budgetS: 1, hasTests: ${hasTests},
    run() {
      console.log('started ${name}');
      if (${lines.length} > 0) fs.writeFileSync(process.env.AH_TEST_LOG, ${JSON.stringify(lines.join('\n'))});
      return ${code};
    },
  }`;
}

describe('runSuites', () => {
  const folder = useTemporaryFolder();

  function run(suites: readonly string[], options = '{}') {
    const script = `import fs from 'node:fs';
      const { runSuites } = await import('${runner}');
      await runSuites([${suites.join(',')}], ${options});`;
    const env = { ...process.env, AH_TEST_RESULTS_FOLDER: path.join(folder.path, 'results') };
    const args = ['--input-type=module', '-e', script];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    return { status, stdout, stderr, lastLine: stdout.trimEnd().split('\n').at(-1) };
  }
  beforeEach(() => mkdirSync(path.join(folder.path, 'results')));

  it('counts passed and failed tests in the last line', () => {
    const { status, lastLine } = run([
      suite('one', ['passed', 'passed', 'pending']),
      suite('two', ['passed', 'failed'], 7),
    ]);
    assert.equal(lastLine, '3 passed, 1 failed');
    assert.equal(status, 7);
  });

  it('fails after a suite without tests, unless tests were filtered', () => {
    const whole = run([suite('empty', [])]);
    assert.equal(whole.status, 1);
    assert.match(whole.stderr, /empty ran no test/);
    assert.equal(whole.lastLine, '0 passed, 1 failed');
    const some = run([suite('empty', [])], `{ args: ['--grep', 'x'] }`);
    assert.equal(some.status, 0);
    assert.equal(some.lastLine, '0 passed, 0 failed');
  });

  it('continues after a failed suite, but not after a failed build', () => {
    const failed = run([suite('checks', [], 2, false), suite('unit', ['passed'])]);
    assert.equal(failed.status, 2);
    assert.equal(failed.lastLine, '1 passed, 1 failed');
    const unbuilt = run([suite('build', [], 2, false), suite('unit', ['passed'])]);
    assert.doesNotMatch(unbuilt.stdout, /started unit/);
    assert.equal(unbuilt.lastLine, '0 passed, 1 failed');
  });

  it('skips finished suites and reports passed ones', () => {
    const options = `{
      isDone: ({ name }) => name === 'one',
      onPassed: ({ name }) => console.log('passed ' + name),
    }`;
    const suites = [suite('one', ['passed']), suite('two', ['passed']), suite('three', [], 1)];
    const { stdout } = run(suites, options);
    assert.doesNotMatch(stdout, /started one/);
    assert.match(stdout, /one: already passed/);
    assert.match(stdout, /passed two/);
    assert.doesNotMatch(stdout, /passed three/);
  });

  it('prints where the time went after a suite exceeds its budget', () => {
    // A suite must take measurable time to exceed a budget of 0.
    const slow = suite('slow', ['passed']).replace('budgetS: 1', 'budgetS: -1');
    const { stdout } = run([slow], '{ pace: 2 }');
    assert.match(stdout, /slow took .* Its budget is -2\.0 s/);
    assert.match(stdout, /slow 0/);
    assert.doesNotMatch(run([suite('quick', ['passed'])]).stdout, /Its budget is/);
  });
});
