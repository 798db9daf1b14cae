import assert from 'node:assert/strict';
import {
  integratedShell,
  isShellWithoutMarks,
} from '../../../../src/agents/common/shellIntegration.ts';

describe('the integration of a shell', () => {
  for (const [command, shell] of [
    ['/bin/bash', 'bash'],
    ['bash -il -o vi', 'bash'],
    ['bash --login', 'bash'],
    ['zsh -l', 'zsh'],
    ['fish --private', 'fish'],
    ['bash --norc', undefined],
    ['bash --rcfile mine', undefined],
    ['bash -o posix', undefined],
    ['bash -r', undefined],
    ['zsh -f', undefined],
    ['zsh -o no_rcs', undefined],
    ['dash', undefined],
    ['nu', undefined],
    ['pwsh -NoLogo', undefined],
  ] as const) {
    it(`${shell ? 'is' : 'is not'} available for “${command}”`, () => {
      assert.equal(integratedShell(command.split(' ')), shell);
      assert.equal(isShellWithoutMarks(command.split(' ')), shell === undefined);
    });
  }

  for (const command of ['bash -c make', 'zsh script', 'claude']) {
    it(`does not concern “${command}”`, () => {
      assert.equal(integratedShell(command.split(' ')), undefined);
      assert.equal(isShellWithoutMarks(command.split(' ')), false);
    });
  }
});
