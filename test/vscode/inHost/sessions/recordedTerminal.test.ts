import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { RecordedTerminal } from '../../../../src/extension/terminals/recordedTerminal.ts';
import { RecorderClient } from '../../../../src/sessions/node/recorderClient.ts';
import { AhSandbox, outputOf, readRecording, until } from '../../../support/ah.ts';

const FLOOD_BYTES = 25_000_000;
/** Attempts, because other processes may disturb a measurement. */
const ROUNDS = 3;

describe('a recorded terminal', function () {
  this.timeout(300_000);
  let folder: string;
  let sandbox: AhSandbox;
  let terminal: vscode.Terminal | undefined;
  const windowsOwn = process.env['AH_DATA_DIR'];
  const log = vscode.window.createOutputChannel('test', { log: true });

  before(function () {
    // The programs of this test, and the search for recorders, need Linux.
    if (process.platform !== 'linux') this.skip();
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'ah-t-'));
    sandbox = new AhSandbox(folder);
  });
  afterEach(async () => {
    terminal?.dispose();
    await sandbox.dispose();
    rmSync(folder, { recursive: true, force: true });
    process.env['AH_DATA_DIR'] = windowsOwn; // The sandbox sets the variable to start recorders.
  });
  after(() => log.dispose());

  /** Opens a terminal as the extension does; `text` is the last output. */
  function open(script: string) {
    let recording = '';
    const shown = { text: '' };
    const pty = new RecordedTerminal({
      waitingText: 'Waiting…',
      scrollbackLines: 1000,
      log,
      connect: async (size) => {
        const cmd = ['/bin/bash', '-c', script];
        const session = await sandbox.launch(cmd, { ...size, waitForClient: true });
        recording = session.recording;
        return { client: await RecorderClient.connect(session.hostSocket), from: 'start' };
      },
    });
    pty.onDidWrite((text) => (shown.text = (shown.text + text).slice(-100_000)));
    const ended = new Promise<unknown>((resolve) => pty.onDidEnd(resolve));
    terminal = vscode.window.createTerminal({ name: 'recorded', pty });
    terminal.show();
    return { pty, shown, ended, recording: () => recording };
  }

  /** The time that a built-in terminal takes. */
  async function plainFlood(file: string, done: string): Promise<number> {
    const start = performance.now();
    const plain = vscode.window.createTerminal({
      shellPath: '/bin/bash',
      shellArgs: ['-c', `cat ${file}; touch ${done}; exec sleep 60`],
    });
    plain.show();
    await until(() => existsSync(done), 'the plain terminal', 60_000);
    const elapsedMs = performance.now() - start;
    plain.dispose();
    return elapsedMs;
  }

  it('accepts a paste of 1 MB', async () => {
    const pasted = Array.from({ length: 1_048_576 / 16 }, (_, i) => `${i}`.padStart(16, '.'));
    const text = pasted.join('');
    const { shown, ended } = open(
      `stty raw -echo; echo ready; head -c ${text.length} | sha256sum; exit`,
    );
    await until(() => shown.text.includes('ready'), 'the program to read', 20_000);
    terminal!.sendText(text, false);
    await ended;
    assert.ok(shown.text.includes(createHash('sha256').update(text).digest('hex')));
  });

  it('keeps input in order while it opens', async () => {
    const { pty, shown, ended } = open('read -r line; echo "got:$line."');
    const typed = Array.from({ length: 300 }, (_, i) => String.fromCharCode(97 + (i % 26)));
    for (const key of typed) {
      pty.handleInput(key);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    pty.handleInput('\r');
    await ended;
    const line = shown.text.replaceAll(/\r\n/g, '');
    assert.ok(line.includes(`got:${typed.join('')}.`), `It shows: ${shown.text}`);
  });

  it('shows a flood at half the speed of a plain terminal or faster, and stays responsive', async () => {
    const file = path.join(folder, 'flood');
    const line = 'The quick brown fox jumps over the lazy dog, and goes on to the next line.\n';
    writeFileSync(file, line.repeat(FLOOD_BYTES / line.length));

    let facts = '';
    let recording = '';
    for (let round = 0; round < ROUNDS; round++) {
      const plainMs = await plainFlood(file, path.join(folder, `done${round}`));
      const delays = monitorEventLoopDelay({ resolution: 10 });
      const start = performance.now();
      const recorded = open(`cat ${file}`);
      delays.enable();
      await recorded.ended;
      const recordedMs = performance.now() - start;
      delays.disable();
      recording = recorded.recording();
      // Ignores rare delays of a busy machine.
      const heldUpMs = delays.percentile(95) / 1e6;
      facts = `recorded ${recordedMs.toFixed()} ms, plain ${plainMs.toFixed()} ms, held up ${heldUpMs} ms`;
      if (recordedMs < 2 * plainMs && heldUpMs < 50) break;
      if (round === ROUNDS - 1) assert.fail(facts);
      terminal!.dispose();
    }
    await sandbox.settled();
    const output = outputOf((await readRecording(recording)).records);
    const lines = Math.floor(FLOOD_BYTES / line.length);
    assert.equal(
      output.length,
      lines * (line.length + 1),
      'all of it, with the returns a terminal adds',
    );
  });

  it('says how to attach when the extension deactivates, and leaves the program running', async () => {
    const { pty, shown } = open('echo still here; exec cat');
    await until(() => shown.text.includes('still here'), 'the program', 20_000);
    pty.showDetached('Back to it: ah agent attach 1');
    assert.match(shown.text, /Back to it: ah agent attach 1/);
    terminal!.dispose();
    assert.equal(sandbox.recorders().length, 1);
    assert.equal((await sandbox.catalogue.list())[0]!.meta.state, 'running');
  });

  it('delivers Ctrl-C during a flood', async () => {
    const { pty, shown, ended } = open('trap "echo; echo caught; exit" INT; yes flood');
    await until(() => shown.text.includes('flood\r\nflood'), 'the flood', 20_000);
    // `test/vscode/limits` measures the delay.
    pty.handleInput('\u0003');
    await until(() => shown.text.includes('caught'), 'the answer');
    await ended;
  });
});
