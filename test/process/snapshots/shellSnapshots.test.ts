import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../../../src/platform/node/processes/findProgram.ts';
import { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { cliFile, collect, outputOf, readRecording, until } from '../../support/ah.ts';
import {
  commandsOf,
  exitCodesOf,
  PROMPT,
  RecordedShell,
} from '../../support/sessions/recordedShell.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

/** The startup file of each shell, with the prompt that tests wait for. */
const SHELLS = {
  bash: { file: '.bashrc', prompt: `PS1='${PROMPT}'` },
  zsh: { file: '.zshrc', prompt: `PS1='${PROMPT}'` },
  fish: {
    file: '.config/fish/config.fish',
    prompt: `function fish_prompt; echo -n '${PROMPT}'; end`,
  },
} as const;
type Shell = keyof typeof SHELLS;

/** Real shells with startup files, as a user has them. */
describe('a recorded shell', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();

  /** Writes a startup file into the home folder of the shell. */
  function startup(file: string, ...lines: string[]): void {
    const target = path.join(sandbox.current.folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, `${lines.join('\n')}\n`);
  }
  const program = (shell: string) => findProgram(shell, process.env, '/');
  const start = (cmd: readonly string[], options = {}) =>
    RecordedShell.start(sandbox.current, cmd, { cwd: place.path, ...options });

  for (const shell of Object.keys(SHELLS) as Shell[]) {
    describe(shell, () => {
      const { file, prompt } = SHELLS[shell];

      it('has a snapshot after each command', async () => {
        startup(file, prompt);
        const recorded = await start([program(shell)], { workspace: place.path });
        const failing = `echo 2 > b.txt; sh -c 'exit 3'`;
        await recorded.typeUntilSnapshot('echo 1 > a.txt');
        await recorded.typeUntilSnapshot(failing);
        await recorded.typeUntilSnapshot('rm a.txt');
        const { exitCode, marks } = await recorded.exit();
        assert.equal(exitCode, 5);
        assert.deepEqual(exitCodesOf(marks).slice(0, 3), [0, 3, 0]);
        assert.deepEqual(commandsOf(marks), ['echo 1 > a.txt', failing, 'rm a.txt', 'exit 5']);

        const files = await SessionFiles.open(await recorded.session.session());
        const provider = await files.provider();
        const kept = files.snapshots.filter(({ trigger }) =>
          ['start', 'command'].includes(trigger),
        );
        assert.deepEqual(
          kept.slice(1, 4).map(({ label }) => label),
          ['After `echo 1 > a.txt`', `After \`${failing}\``, 'After `rm a.txt`'],
        );
        const changes = await Promise.all(
          kept.slice(1, 4).map(async ({ id }, index) => {
            const [from, to] = [kept[index]?.id ?? 0n, id].map((each) => files.kept(each).ref);
            assert.ok(from && to);
            const found = await provider.diff(from, to, new AbortController().signal);
            return found.map(({ kind, path: name }) => `${kind} ${name}`);
          }),
        );
        await files.dispose();
        assert.deepEqual(changes, [['added a.txt'], ['added b.txt'], ['deleted a.txt']]);
      });
    });
  }

  it('is exported as its commands, with exit codes, output and changes', async () => {
    startup('.bashrc', `PS1='${PROMPT}'`);
    const recorded = await start([program('bash')], { workspace: place.path });
    await recorded.typeUntilSnapshot('echo one | tee a.txt');
    await recorded.typeUntilSnapshot(`sed -i s/one/two/ a.txt; sh -c 'exit 3'`);
    await recorded.typeUntilSnapshot('export API_KEY=planted-value-1234');
    await recorded.exit();
    const args = ['agent', 'transcript', '--redact', '--session', recorded.session.id];
    const text = (await sandbox.current.run(...args)).stdout.toString();
    const at = String.raw`\d\d:\d\d:\d\d`;
    const diff = String.raw`\x60\x60\x60diff\ndiff --git before/a.txt after/a.txt\n`;
    assert.match(
      text,
      new RegExp(
        [
          `\n## 1 · ${at} · exit code 0\n\n\`\`\`sh\necho one \\| tee a.txt\n\`\`\`\n`,
          `\n\`\`\`\none\n\`\`\`\n\n${diff}[^\`]*\n\\+one\n\`\`\`\n`,
          `\n## 2 · ${at} · exit code 3\n\n\`\`\`sh\nsed -i [^\`]*\n\`\`\`\n`,
          `\n${diff}[^\`]*\n-one\n\\+two\n\`\`\`\n`,
          `\n## 3 · ${at} · exit code 0\n\n\`\`\`sh\nexport API_KEY=\\[redacted\\]\n\`\`\`\n`,
          `\n## 4 · ${at}\n\n\`\`\`sh\nexit 5\n`,
        ].join(''),
      ),
    );
  });

  /**
   * The same lines typed with and without integration. Each writes to `facts`, which must not
   * differ.
   */
  const SAME: readonly {
    readonly title: string;
    readonly cmd: readonly string[];
    readonly startup: Readonly<Record<string, readonly string[]>>;
    readonly env?: Readonly<Record<string, string>>;
    readonly lines: readonly string[];
  }[] = [
    {
      title: 'bash: prompt, hooks, traps, history and status',
      cmd: ['bash'],
      startup: {
        '.bashrc': [
          `PS1='${PROMPT}'`,
          `PROMPT_COMMAND=('echo "$?" >> prompts' 'FROM_PROMPT=1')`,
          `PS0='\${FROM_PS0:+}'`,
          `trap 'DEBUGGED=1' DEBUG`,
          `trap 'echo bye >> facts' EXIT`,
          `HISTFILE=~/history HISTCONTROL=ignoreboth`,
          `alias greet='echo hello'`,
          `set -u`,
        ],
      },
      lines: [
        'false',
        'echo "$? $_" >> facts',
        'greet >> facts',
        ' echo "$FROM_PROMPT $DEBUGGED $SHLVL $-" >> facts',
        'echo "${PROMPT_COMMAND[@]:0:2}" >> facts; echo "$PS1" >> facts; trap -p >> facts',
        'env | grep -v "^AH_\\|^_=" | sort >> facts',
        'shopt -o >> facts; shopt >> facts',
        'for word in a \\\nb; do echo "$word;\\n" >> facts; done',
        'bash -ic "echo nested" >> facts 2>&1',
        '(exit 4)',
        'cat prompts >> facts',
        'history -a; cat ~/history >> facts',
      ],
    },
    {
      title: 'bash: PROMPT_COMMAND as an exported text',
      cmd: ['bash', '-i'],
      startup: {
        '.bashrc': [`PS1='${PROMPT}'`, `export PROMPT_COMMAND='echo "$?" >> prompts'`],
      },
      lines: ['false', 'echo "$PROMPT_COMMAND" >> facts', 'cat prompts >> facts'],
    },
    {
      title: 'bash: PROMPT_COMMAND set later',
      cmd: ['bash'],
      startup: { '.bashrc': [`PS1='${PROMPT}'`] },
      lines: [`PROMPT_COMMAND='echo "$?" >> prompts'`, '(exit 6)', 'cat prompts >> facts'],
    },
    {
      title: 'bash: the profile of a login shell',
      cmd: ['bash', '-il'],
      startup: {
        '.bash_profile': ['FROM=profile', '. ~/.bashrc'],
        '.profile': ['FROM=other'],
        '.bashrc': [`PS1='${PROMPT}'`, 'FROM=$FROM,rc', 'return 0'],
      },
      lines: [
        'echo "$FROM $PATH $SHLVL $-" >> facts',
        'env | grep -v "^AH_\\|^_=" | sort >> facts',
      ],
    },
    {
      title: 'zsh: its four files, prompt, hooks, history and status',
      cmd: ['zsh', '-l'],
      startup: {
        '.zshenv': ['FROM=env', 'setopt no_global_rcs'],
        '.zprofile': ['FROM+=,profile'],
        '.zshrc': [
          'FROM+=,rc',
          `PS1='${PROMPT}'`,
          'precmd() { echo "$?" >> prompts }',
          'preexec() { echo "$1" >> prompts }',
          'later() { echo "later $?" >> prompts }',
          'precmd_functions+=(later)',
          'HISTFILE=~/history SAVEHIST=100',
          `alias printf='echo wrong'`,
          'setopt ksh_arrays',
        ],
        '.zlogin': ['FROM+=,login'],
      },
      lines: [
        'false',
        'echo "$? $_" >> facts',
        'echo "$FROM $SHLVL ${ZDOTDIR-unset} $PS1 $-" >> facts',
        'env | grep -v "^AH_\\|^_=" | sort >> facts',
        'setopt >> facts',
        '(exit 4)',
        'cat prompts >> facts',
        'fc -W; cat ~/history >> facts',
      ],
    },
    {
      title: 'zsh: files in the ZDOTDIR of the user',
      cmd: ['zsh'],
      env: { ZDOTDIR: '~/zsh files' },
      startup: {
        'zsh files/.zshenv': ['FROM=env'],
        'zsh files/.zshrc': ['FROM+=,rc', `PS1='${PROMPT}'`],
      },
      lines: ['echo "$FROM" >> facts', 'env | grep -v "^AH_\\|^_=" | sort >> facts'],
    },
    {
      title: 'fish: configuration, events, history and status',
      cmd: ['fish'],
      startup: {
        '.config/fish/config.fish': [
          SHELLS.fish.prompt,
          'set -g FROM config',
          'function mine --on-event fish_postexec; echo "$status" >> prompts; end',
        ],
      },
      lines: [
        'false',
        'echo "$status $FROM $SHLVL" >> facts',
        'env | grep -v "^AH_\\|^_=" | sort >> facts',
        'true | false',
        'echo "$pipestatus" >> facts',
        'cat prompts >> facts',
        'history save; history --max 3 >> facts',
      ],
    },
  ];

  for (const {
    title,
    cmd: [shell = '', ...args],
    startup: rcs,
    env = {},
    lines,
  } of SAME) {
    it(`stays as it is (${title})`, async () => {
      for (const [file, text] of Object.entries(rcs)) startup(file, ...text);
      const home = sandbox.current.folder;
      const own = Object.entries(env).map(([name, value]) => [name, value.replace('~', home)]);
      const factsOf = async (integratesShell: boolean) => {
        const cwd = path.join(place.path, 'work');
        mkdirSync(cwd);
        const recorded = await start([program(shell), ...args], {
          cwd,
          integratesShell,
          env: { ...sandbox.current.launchEnv, ...Object.fromEntries(own) },
        });
        for (const [index, line] of lines.entries()) {
          const done = path.join(cwd, `done ${index}`);
          recorded.type(line);
          await recorded.typeUntilFile(`true > '${done}'`, done);
        }
        const { exitCode, marks } = await recorded.exit();
        assert.equal(exitCode, 5);
        // Two commands per line: the line itself, and the one that writes `done`. The last command,
        // `exit`, may have an end or none.
        const expected = integratesShell ? 2 * lines.length : 0;
        assert.ok([0, 1].includes(exitCodesOf(marks).length - expected), 'ends of commands');
        const facts = readFileSync(path.join(cwd, 'facts'), 'utf8');
        for (const file of ['history', '.local/share/fish/fish_history'])
          await collect(spawn('rm', ['-f', path.join(home, file)], { stdio: 'pipe' }));
        await collect(spawn('rm', ['-r', cwd], { stdio: 'pipe' }));
        return facts;
      };
      assert.equal(await factsOf(true), await factsOf(false));
    });
  }

  for (const [title, shell, lines] of [
    [
      'marks in the prompts of bash',
      'bash',
      [
        `PS1='${PROMPT}'`,
        String.raw`PS0='\e]133;C\a'`,
        String.raw`finish() { printf '\e]133;D;%s\a' "$?"; }`,
        'PROMPT_COMMAND=finish',
      ],
    ],
    ['VSCODE_SHELL_INTEGRATION in bash', 'bash', [`PS1='${PROMPT}'`, 'VSCODE_SHELL_INTEGRATION=1']],
    [
      'a hook of zsh',
      'zsh',
      [
        `PS1='${PROMPT}'`,
        String.raw`precmd() { print -n '\e]133;D;'$?'\a' }`,
        String.raw`preexec() { print -n '\e]133;C\a' }`,
      ],
    ],
    [
      'an event handler of fish',
      'fish',
      [
        SHELLS.fish.prompt,
        String.raw`function mine --on-event fish_preexec; printf '\e]133;C\a'; end`,
        String.raw`function finish --on-event fish_postexec; printf '\e]133;D;%s\a' $status; end`,
      ],
    ],
  ] as const) {
    it(`keeps to the user's own integration: ${title}`, async () => {
      startup(SHELLS[shell].file, ...lines);
      const recorded = await start([program(shell)]);
      await recorded.typeUntilFile('true > done', path.join(place.path, 'done'));
      await recorded.exit();
      assert.ok(!recorded.shown.includes('\x1b]633;'), 'AH announced the command as well');
    });
  }

  it('is left alone if it runs a command or a script', async () => {
    const script = path.join(place.path, 'script');
    writeFileSync(script, 'echo "${ZDOTDIR-unset} $0"');
    chmodSync(script, 0o755);
    for (const shell of ['bash', 'zsh']) {
      for (const args of [['-c', 'echo "${ZDOTDIR-unset} done"'], [script]]) {
        const cmd = [program(shell), ...args];
        const { recording } = await sandbox.current.launch(cmd, { integratesShell: true });
        await sandbox.current.settled();
        const output = outputOf((await readRecording(recording)).records).toString();
        assert.match(output, /^unset \S+\r\n$/, cmd.join(' '));
      }
    }
  });

  it('is integrated by the command line, unless the user turns it off', async () => {
    startup('.bashrc', `PS1='${PROMPT}'`);
    for (const options of [[], ['--no-shell-integration']]) {
      const child = spawn(
        process.execPath,
        [cliFile, 'agent', 'record', ...options, '--', 'bash'],
        {
          cwd: place.path,
          env: { ...sandbox.current.env, HOME: sandbox.current.folder },
          stdio: 'pipe',
        },
      );
      let shown = '';
      child.stdout.on('data', (bytes: Buffer) => (shown += bytes.toString()));
      await until(() => shown.includes(PROMPT), 'the prompt');
      child.stdin.end('exit 3\r');
      assert.equal((await collect(child)).exitCode, 3);
      assert.equal(shown.includes('\x1b]633;E;exit 3\x07'), options.length === 0);
    }
  });

  it('has a notice on the command line if AH can’t follow its commands', async () => {
    const record = (...cmd: string[]) => {
      const child = spawn(process.execPath, [cliFile, 'agent', 'record', '--', ...cmd], {
        cwd: place.path,
        env: { ...sandbox.current.env, AH_SNAPSHOTS: '1' },
        stdio: 'pipe',
      });
      child.stdin.end('exit\r');
      return collect(child);
    };
    const notice = /no snapshot after each command.*"dash -i"/;
    assert.match((await record('dash', '-i')).stderr, notice);
    assert.doesNotMatch((await record('dash', '-c', 'true')).stderr, /no snapshot after/);
    assert.doesNotMatch((await record('bash')).stderr, /no snapshot after/);
  });
});
