import assert from 'node:assert/strict';
import { ADAPTERS, adapterOf } from '../../../../src/agents/adapters/adapters.ts';
import { carriedOptions } from '../../../../src/agents/common/continuation/commandLine.ts';

const SESSION = 'the-session';

function continued(agent: string, args: string[], message: string | undefined): string[] {
  const { commandLine } = adapterOf(agent)!;
  const isHeadless = commandLine.isHeadless(args) && message !== undefined;
  const { options } = carriedOptions(commandLine, args, isHeadless);
  const parts = { options, isHeadless, session: SESSION, lastRecord: 'the-record', message };
  return [...commandLine.build(parts)];
}

describe('command lines of resumed sessions', () => {
  const CASES: readonly [string, string[], string | undefined, string[]][] = [
    [
      'claudeCode',
      ['-p', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash', 'Edit', '--', 'old'],
      '-new',
      [
        '-p',
        '--permission-mode',
        'acceptEdits',
        '--allowedTools',
        'Bash',
        'Edit',
        '--resume',
        SESSION,
        '--resume-session-at',
        'the-record',
        '--',
        '-new',
      ],
    ],
    [
      'claudeCode',
      ['--model', 'opus', '-r', 'old', 'prompt'],
      'new',
      ['--model', 'opus', '--resume', SESSION, '--', 'new'],
    ],
    ['claudeCode', ['-p', '--output-format', 'json', 'old'], undefined, ['--resume', SESSION]],
    [
      'codex',
      ['exec', '-c', 'a.b="c"', '--skip-git-repo-check', 'old prompt'],
      'new',
      ['exec', '-c', 'a.b="c"', '--skip-git-repo-check', 'resume', SESSION, '--', 'new'],
    ],
    [
      'codex',
      ['-m', 'exec', 'resume', 'old'],
      'new',
      ['-m', 'exec', 'resume', SESSION, '--', 'new'],
    ],
    ['codex', ['exec', '--json', 'old'], undefined, ['resume', SESSION]],
    [
      'gemini',
      ['-y', '--skip-trust', '-p', 'old'],
      '-new',
      ['-y', '--skip-trust', '--resume', SESSION, '--prompt=-new'],
    ],
    [
      'gemini',
      ['-m', 'flash', '-i', 'old'],
      'new',
      ['-m', 'flash', '--resume', SESSION, '--prompt-interactive=new'],
    ],
    [
      'opencode',
      ['run', '--auto', 'old'],
      'new',
      ['run', '--auto', '--session', SESSION, '--', 'new'],
    ],
    ['opencode', ['--model', 'a/b', '/folder'], 'new', ['--model', 'a/b', '--session', SESSION]],
    [
      'copilot',
      ['--allow-all-tools', '-p', 'old'],
      'new',
      ['--allow-all-tools', `--resume=${SESSION}`, '--prompt=new'],
    ],
    [
      'copilot',
      ['--resume=old', '--model=x'],
      'new',
      ['--model=x', `--resume=${SESSION}`, '--interactive=new'],
    ],
  ];
  for (const [agent, args, message, expected] of CASES) {
    it(`${agent} ${args.join(' ')} + ${message ?? 'no message'}`, () => {
      assert.deepEqual(continued(agent, args, message), expected);
      assert.equal(adapterOf(agent)!.commandLine.sessionOf(expected), SESSION);
    });
  }

  it('list unknown options', () => {
    for (const { commandLine } of ADAPTERS) {
      const { options, unknown } = carriedOptions(commandLine, ['--from-tomorrow', 'x'], true);
      assert.deepEqual({ options, unknown }, { options: [], unknown: ['--from-tomorrow'] });
    }
  });
});
