import assert from 'node:assert/strict';
import { parseCommandLine, UsageError } from '../../mockAgent/commandLine.ts';

describe('mock agent: command line', () => {
  it('has defaults for everything but the scenario', () => {
    assert.deepEqual(parseCommandLine(['a.yaml']), {
      scenarioFile: 'a.yaml',
      folder: '.',
      speed: 1,
      seed: undefined,
      prompt: undefined,
      transcript: undefined,
      sessionId: undefined,
      resume: false,
      transcriptPartial: false,
      transcriptTruncate: undefined,
    });
  });

  it('takes options before and after the scenario', () => {
    const parsed = parseCommandLine(['--speed', '2.5', 'a.yaml', '--seed=9', '--dir', 'x']);
    assert.ok(parsed !== 'help');
    assert.deepEqual([parsed.speed, parsed.seed, parsed.folder], [2.5, 9, 'x']);
  });

  it('reports errors', () => {
    const wrong: [string[], RegExp][] = [
      [[], /Which scenario/],
      [['a', 'b'], /"b" is too much/],
      [['a', '--speed', 'fast'], /--speed must be a number of at least 0, not "fast"/],
      [['a', '--sped', '1'], /--sped/],
    ];
    for (const [args, message] of wrong) {
      assert.throws(() => parseCommandLine(args), UsageError);
      assert.throws(() => parseCommandLine(args), message);
    }
  });

  it('has help', () => assert.equal(parseCommandLine(['-h']), 'help'));
});
