import assert from 'node:assert/strict';
import {
  interactiveShellIn,
  isInteractiveShell,
  startsAgent,
} from '../../../../src/agents/common/shellSession.ts';

describe('a session of a shell', () => {
  for (const [command, expected] of [
    ['/bin/bash', true],
    ['zsh -l', true],
    ['bash --rcfile a', true],
    ['/usr/bin/pwsh', true],
    ['bash -i -o vi +O extglob', true],
    ['fish --init-command a', true],
    ['pwsh -NoLogo', true],
    ['bash -lc make', false],
    ['sh -ec make', false],
    ['fish --command=make', false],
    ['bash run-agent.sh', false],
    ['zsh -o errexit run-agent.sh', false],
    ['bash -- run-agent.sh', false],
    ['claude', false],
    ['htop', false],
    ['', false],
  ] as const) {
    it(`is${expected ? '' : ' not'} one of “${command}”`, () => {
      assert.equal(isInteractiveShell(command.split(' ')), expected);
    });
  }

  for (const [line, words] of [
    ['bash', ['bash']],
    ["'/bin/zsh' -l", ['/bin/zsh', '-l']],
    ['bash -c ls', undefined],
    ['~/bin/bash', undefined],
    ['bash; ls', undefined],
    ['$SHELL', undefined],
    ['', undefined],
  ] as const) {
    it(`${words ? 'needs no' : 'needs a'} shell to start “${line}”`, () => {
      assert.deepEqual(interactiveShellIn(line), words);
    });
  }

  for (const [line, expected] of [
    ['claude', true],
    ['cd a && X=1 claude -c', true],
    ['npx @openai/codex', true],
    ['echo claude', false],
    ['vim a; ls', false],
  ] as const) {
    it(`${expected ? 'starts' : 'does not start'} an agent with “${line}”`, () => {
      assert.equal(startsAgent(line), expected);
    });
  }
});
