import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { completionScript, SHELLS, type Shell } from '../../../src/cli/completionScript.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const program = buildProgram({ version: '', distFolder: '' });

/** Each shell's commands that print the completions of `line`, after it sourced `script`. */
const COMPLETE: Readonly<Record<Shell, (script: string, line: readonly string[]) => string>> = {
  bash: (script, line) => `source '${script}'
    COMP_WORDS=(${quoted(line)}); COMP_CWORD=${line.length - 1}
    _ah; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The options are those that `bashcompinit` sets before it calls the function.
  zsh: (script, line) => `source '${script}'
    complete_line() {
      emulate -L sh; setopt kshglob noshglob braceexpand
      COMP_WORDS=(${quoted(line)}); COMP_CWORD=${line.length - 1}
      _ah; printf '%s\\n' "\${COMPREPLY[@]}"
    }
    complete_line`,
  fish: (script, line) => `source '${script}'
    complete -C '${line.join(' ')}' | string split -f 1 \\t`,
};

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}

for (const shell of SHELLS) {
  describe(`the completion script for ${shell}`, () => {
    const folder = useTemporaryFolder();

    function complete(...line: string[]): string[] {
      const script = path.join(folder.path, 'completion');
      writeFileSync(script, completionScript(program, shell));
      const command = COMPLETE[shell](script, ['ah', ...line]);
      const options = {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: folder.path },
      } as const;
      const { stdout, stderr } = spawnSync(shell, ['-c', command], options);
      assert.equal(stderr, '');
      const words = stdout.trim().split('\n').sort();
      return words.filter((word) => word.startsWith(line.at(-1) ?? ''));
    }

    it('completes subcommands at each level', () => {
      assert.deepEqual(complete('agent', 'bran'), ['branch', 'branch-points', 'branches']);
      assert.deepEqual(complete('agent', 'fs', 'sh'), ['show']);
      assert.deepEqual(complete('agent', 'branch', 'ap'), ['apply']);
    });

    it('completes the options of a command', () => {
      assert.deepEqual(complete('agent', 'replay', '--pr'), ['--print-meta']);
      assert.deepEqual(complete('agent', 'branch', 'take', '--me'), ['--merge']);
    });

    it('completes the choices of options and arguments', () => {
      assert.deepEqual(complete('agent', 'branch-points', '--format', ''), ['csv', 'json', 'md']);
      assert.deepEqual(complete('completion', 'ba'), ['bash']);
    });
  });
}
