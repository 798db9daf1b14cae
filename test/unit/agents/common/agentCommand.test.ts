import assert from 'node:assert/strict';
import { agentCommand, agentOfCommand } from '../../../../src/agents/common/agentCommand.ts';

describe('the agent of a command', () => {
  const recognised: readonly (readonly [string, readonly string[], string, readonly string[]])[] = [
    ['by its path', ['/usr/local/bin/gemini', '-p', 'x'], 'gemini', ['-p', 'x']],
    ['on Windows', ['C:\\Tools\\claude.CMD'], 'claudeCode', []],
    ['behind env', ['env', 'X=a b', '-u', 'Y', 'codex', 'resume'], 'codex', ['resume']],
    ['behind nice', ['/usr/bin/nice', '-n', '5', 'claude'], 'claudeCode', []],
    ['behind several', ['nohup', 'env', 'A=1', 'copilot', '--x'], 'copilot', ['--x']],
    ['by npx', ['npx', '-y', '@openai/codex@0.166.0', '--search'], 'codex', ['--search']],
    ['by npx, by its command', ['npx', '-p', '@google/gemini-cli', 'gemini'], 'gemini', []],
    ['by npm exec', ['npm', 'exec', '--', 'opencode-ai', '.'], 'opencode', ['.']],
    ['in a shell', ['/bin/bash', '-c', 'claude --model opus'], 'claudeCode', ['--model', 'opus']],
    ['in a login shell', ['zsh', '-lc', "exec X=1 codex 'a b'"], 'codex', ['a b']],
    ['in a shell, by npx', ['sh', '-c', 'npx claude --debug'], 'claudeCode', ['--debug']],
  ];
  for (const [name, command, id, args] of recognised) {
    it(`is recognised ${name}`, () => {
      const found = agentCommand(command);
      assert.equal(found?.agent.id, id);
      assert.deepEqual(found?.args, args);
    });
  }

  for (const command of [
    [],
    ['/bin/claude-like'],
    ['bash'],
    ['bash', 'claude'],
    ['bash', '-c', 'cd sub && claude'],
    ['bash', '-c', 'claude $OPTIONS'],
    ['bash', '-c', 'echo claude'],
    ['bash', '-c', "bash -c 'claude --x'"],
    ['npm', 'install', '@openai/codex'],
    ['env'],
    ['grep', 'claude'],
  ]) {
    it(`is not guessed: ${command.join(' ')}`, () =>
      assert.equal(agentOfCommand(command), undefined));
  }

  it('gets further arguments before its own', () => {
    const add = (...command: string[]) => agentCommand(command)?.addArguments(['--hooks', 'a b']);
    assert.deepEqual(add('claude', '-p'), ['claude', '--hooks', 'a b', '-p']);
    assert.deepEqual(add('env', 'X=1', 'claude', '-p'), [
      'env',
      'X=1',
      'claude',
      '--hooks',
      'a b',
      '-p',
    ]);
    assert.deepEqual(add('bash', '-lc', 'X=1 ~/bin/claude  --add-dir ~/x "y z"'), [
      'bash',
      '-lc',
      `X=1 ~/bin/claude --hooks 'a b'  --add-dir ~/x "y z"`,
    ]);
  });

  it('gets other arguments instead of its own', () => {
    const replace = (...command: string[]) =>
      agentCommand(command)?.replaceArguments(['--resume', "it's"]);
    assert.deepEqual(replace('npx', 'codex', '-x'), ['npx', 'codex', '--resume', "it's"]);
    assert.deepEqual(replace('sh', '-c', 'nice claude -x'), [
      'sh',
      '-c',
      `nice claude --resume 'it'\\''s'`,
    ]);
  });
});
