import assert from 'node:assert/strict';
import { integrateShell } from '../../../../src/host/shell/integrateShell.ts';

describe('starting a shell with integration', () => {
  const start = (...cmd: string[]) => integrateShell({ cmd, env: {} }, "/it's/shell");
  const init = ['--init-file', "/it's/shell/integration.bash"];

  it('gives bash a startup file before its other options', () => {
    assert.deepEqual(start('/bin/bash', '-i'), { cmd: ['/bin/bash', ...init, '-i'], env: {} });
  });

  for (const [options, others] of [
    [['-l'], []],
    [['--login'], []],
    [
      ['-il', '-o', 'vi'],
      ['-i', '-o', 'vi'],
    ],
  ] as const) {
    it(`lets the file load the profile for bash ${options.join(' ')}`, () => {
      const env = { AH_LOGIN_SHELL: '1' };
      assert.deepEqual(start('bash', ...options), { cmd: ['bash', ...init, ...others], env });
    });
  }

  it('gives zsh a folder, and keeps that of the user', () => {
    assert.deepEqual(start('zsh', '-l').env, { ZDOTDIR: "/it's/shell/zsh" });
    const own = integrateShell({ cmd: ['zsh'], env: { ZDOTDIR: '/mine' } }, '/shell');
    assert.deepEqual(own.env, { ZDOTDIR: '/shell/zsh', AH_USER_ZDOTDIR: '/mine' });
  });

  it('gives fish a command with a quoted path', () => {
    const command = "source '/it\\'s/shell/integration.fish'";
    assert.deepEqual(start('fish', '-l').cmd, ['fish', '--init-command', command, '-l']);
  });

  it('changes no other command', () => {
    for (const cmd of [['bash', '-c', 'ls'], ['dash'], ['zsh', 'script']])
      assert.deepEqual(start(...cmd), { cmd, env: {} });
  });
});
