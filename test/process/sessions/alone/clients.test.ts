import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecorderClient } from '../../../../src/sessions/node/recorderClient.ts';
import type { AttachParams } from '../../../../src/sessions/common/recorderProtocol.ts';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { TerminalModel } from '../../../../src/terminal/screen/terminalModel.ts';
import { dist, outputOf, readRecording, until } from '../../../support/ah.ts';
import { untilFile } from '../../../support/processes/shellScripts.ts';
import { useSandbox } from '../../../support/useSandbox.ts';
import { slowTest } from '../../../support/tiers.ts';

const emitter = path.resolve(import.meta.dirname, '../../../support/recording/emitBytes.ts');
const MIB = 1024 * 1024;
const WATCHER: AttachParams = {
  from: 'state',
  answersQueries: false,
  lossless: true,
  windowBytes: MIB,
  historyLines: 200,
};
/**
 * Coloured lines, a status line redrawn with carriage returns, and a moving cursor, without a
 * pause.
 */
const CHATTY = `
const { existsSync } = require('node:fs');
let n = 0;
const timer = setInterval(() => {
  for (let i = 0; i < 5; i++, n++) {
    process.stdout.write('\\x1b[3' + (n % 8) + 'mline ' + n + ' äöü €\\x1b[0m\\n');
    process.stdout.write('working ' + n + '\\r\\x1b[2K');
    if (n % 50 === 0) process.stdout.write('\\x1b7\\x1b[5;10H\\x1b[44mbox\\x1b[0m\\x1b8');
  }
  if (existsSync('enough')) clearInterval(timer);
}, 2);`;

describe('clients of a session', () => {
  const sandbox = useSandbox();

  it('see the same terminal whenever they attach, with no byte missing or repeated', async function () {
    this.timeout(60_000);
    const launched = await sandbox.current.launch([process.execPath, '-e', CHATTY]);
    const watchers: Watcher[] = [];
    for (let index = 0; index < 6; index++) {
      const watcher = await Watcher.attach(launched.hostSocket, WATCHER);
      watchers.push(watcher);
      await until(() => watcher.byteOffset > watcher.startOffset + 2000, 'more output');
    }
    writeFileSync(path.join(sandbox.current.folder, 'enough'), '');
    await Promise.all(watchers.map(({ ended }) => ended));
    const { records } = await readRecording(launched.recording);
    const played = play(records);
    for (const watcher of watchers) {
      assert.equal(watcher.byteOffset, outputOf(records).length);
      assert.deepEqual(screenOf(watcher.model), screenOf(played));
    }
    assert.ok(watchers.at(-1)!.startOffset > 0, 'the last one came in the middle');
  });

  it('that attach again find the output printed meanwhile', async () => {
    const launched = await sandbox.current.launch([
      '/bin/sh',
      '-c',
      `echo one; ${untilFile('left')}; echo two; ${untilFile('back')}; echo three`,
    ]);
    const first = await Watcher.attach(launched.hostSocket, WATCHER);
    first.client.dispose();
    writeFileSync(path.join(sandbox.current.folder, 'left'), '');
    const printed = async () => outputOf((await readRecording(launched.recording)).records);
    await until(async () => (await printed()).includes('two'), 'what is printed meanwhile');
    const second = await Watcher.attach(launched.hostSocket, WATCHER);
    assert.deepEqual(textOf(second.model).slice(0, 2), ['one', 'two']);
    writeFileSync(path.join(sandbox.current.folder, 'back'), '');
    await second.ended;
    assert.deepEqual(textOf(second.model).slice(0, 3), ['one', 'two', 'three']);
  });

  it('get the scrollback as well', async () => {
    const launched = await sandbox.current.launch(['/bin/sh', '-c', 'seq 1 100; sleep 60']);
    await until(
      async () => outputOf((await readRecording(launched.recording)).records).includes('100'),
      'the output',
    );
    const watcher = await Watcher.attach(launched.hostSocket, WATCHER);
    assert.deepEqual(
      watcher.left,
      Array.from({ length: 100 - 23 }, (_, index) => String(index + 1)),
    );
  });

  slowTest('that read nothing do not slow the program, nor use up memory', async function () {
    this.timeout(600_000);
    for (const lossless of [true, false]) {
      // Other work on the machine only slows down a run, so the fastest of a few counts.
      let [aloneMs, watchedMs] = [Infinity, Infinity];
      for (let run = 0; run < 4 && !(watchedMs < 1.5 * aloneMs + 500); run++) {
        aloneMs = Math.min(aloneMs, (await flood()).ms);
        const watched = await flood(lossless);
        watchedMs = Math.min(watchedMs, watched.ms);
        assert.ok(
          watched.received <= 4 * MIB,
          `${watched.received} bytes were sent to a client that takes none`,
        );
        assert.ok(watched.peakBytes < 400 * MIB, `${Math.round(watched.peakBytes / MIB)} MiB`);
      }
      assert.ok(watchedMs < 1.5 * aloneMs + 500, `${watchedMs} ms watched, ${aloneMs} ms alone`);
    }
  });

  /**
   * How long a flood takes the program, without a client or with one that never acknowledges
   * output.
   */
  async function flood(
    lossless?: boolean,
  ): Promise<{ ms: number; received: number; peakBytes: number }> {
    const command = [process.execPath, emitter, 'all', String(60 * MIB), '65536'];
    const launched = await sandbox.current.launch(command, { waitForClient: true });
    const client = await RecorderClient.connect(launched.hostSocket);
    let received = 0;
    client.onOutput((bytes) => (received += bytes.length));
    client.onState(({ state }) => (received += state.length));
    // For the run without a client, another client attaches and leaves, so that the program starts.
    const deaf = { ...WATCHER, from: 'start' as const, lossless: lossless === true };
    const watcher =
      lossless === undefined ? await RecorderClient.connect(launched.hostSocket) : client;
    const start = performance.now();
    await watcher.attach(deaf);
    if (watcher !== client) watcher.dispose();
    const pid = sandbox.current.recorders()[0]!;
    let peakBytes = 0;
    // A recorder may end between two checks.
    const isRunning = () =>
      client.status().then(
        (status) => status.isRunning,
        () => false,
      );
    while (await isRunning()) {
      peakBytes = Math.max(peakBytes, residentBytes(pid));
      await sleep(20);
    }
    const ms = performance.now() - start;
    client.dispose();
    await sandbox.current.settled(60_000);
    return { ms, received, peakBytes };
  }

  it('that lag skip output, and end with the same screen', async function () {
    this.timeout(120_000);
    const script = `${process.execPath} ${emitter} text ${30 * MIB} 65536; echo; echo the end`;
    const launched = await sandbox.current.launch(['/bin/sh', '-c', script], {
      waitForClient: true,
    });
    // A few MB per second: far slower than the model.
    const params = { ...WATCHER, lossless: false, windowBytes: 64 * 1024 };
    const slow = await Watcher.attach(launched.hostSocket, params, 100);
    await slow.ended;
    assert.ok(slow.states > 1, 'it lagged');
    assert.equal(textOf(slow.model).includes('the end'), true);
    await sandbox.current.settled(60_000);
    const { records } = await readRecording(launched.recording);
    assert.deepEqual(screenOf(slow.model), screenOf(play(records)));
  });

  it('are served even if the terminal model fails', async () => {
    const broken = path.join(sandbox.current.folder, 'dist');
    cpSync(dist, broken, { recursive: true });
    writeFileSync(path.join(broken, 'modelWorker.cjs'), 'throw new Error("no model today")');
    const script = `echo one; ${untilFile('go')}; echo two`;
    const launched = await sandbox.current.launch(
      ['/bin/sh', '-c', script],
      {},
      path.join(broken, 'host.cjs'),
    );
    const log = path.join(launched.folder, 'host.log');
    await until(() => existsSync(log) && readFileSync(log).includes('no model'), 'its death');
    const watcher = await Watcher.attach(launched.hostSocket, { ...WATCHER, lossless: false });
    writeFileSync(path.join(sandbox.current.folder, 'go'), '');
    await watcher.ended;
    assert.deepEqual(textOf(watcher.model).slice(0, 2), ['one', 'two']);
    await sandbox.current.settled();
    assert.equal((await launched.session()).meta.state, 'finished');
    assert.match(readFileSync(log, 'utf8'), /no model today/);
  });

  it('resize the terminal in order with the output', async () => {
    const script = 'trap "stty size" WINCH; stty size; while :; do sleep 0.02; done';
    const launched = await sandbox.current.launch(['/bin/sh', '-c', script]);
    const watcher = await Watcher.attach(launched.hostSocket, WATCHER);
    const other = await Watcher.attach(launched.hostSocket, WATCHER);
    watcher.client.resize(100, 30);
    await until(() => textOf(other.model).includes('30 100'), 'the new size');
    other.client.resize(90, 20);
    await until(() => textOf(watcher.model).includes('20 90'), 'the other size');
    await watcher.client.stop();
    await watcher.ended;
    const { records } = await readRecording(launched.recording);
    const story = records.flatMap((record) => {
      if (record.kind === 'resize') return [`resize ${record.rows} ${record.cols}`];
      return record.kind === 'data'
        ? (Buffer.from(record.bytes)
            .toString()
            .match(/\d+ \d+/g) ?? [])
        : [];
    });
    assert.deepEqual(story, [
      'resize 24 80',
      '24 80',
      'resize 30 100',
      '30 100',
      'resize 20 90',
      '20 90',
    ]);
    assert.deepEqual(watcher.sizes, ['100x30', '90x20']);
    assert.deepEqual(watcher.model.size, { cols: 90, rows: 20 });
  });

  it('that break the protocol are disconnected, without any effect on others', async () => {
    const launched = await sandbox.current.launch(['/bin/sh', '-c', 'echo ready; cat']);
    const { connect } = await import('node:net');
    for (const hex of [
      'ffffffff',
      '0000000000',
      '0400000000000000',
      '08000000' + '040000007b7b7b7b',
    ]) {
      const socket = connect(launched.hostSocket).on('error', () => {});
      socket.write(Buffer.from(hex, 'hex'));
      await Promise.race([new Promise((resolve) => socket.on('close', resolve)), sleep(300)]);
      socket.destroy();
    }
    const client = await RecorderClient.connect(launched.hostSocket);
    client.resize(-1, 5);
    await new Promise<void>((resolve) => client.onDidClose(() => resolve()));
    const watcher = await Watcher.attach(launched.hostSocket, WATCHER);
    watcher.client.input(Buffer.from('still here\n'));
    await until(() => textOf(watcher.model).includes('still here'), 'the echo');
  });
});

describe("a program's queries to its terminal", () => {
  const sandbox = useSandbox();
  /** Asks for the cursor position and prints every answer it gets. */
  const ASKER = `process.stdin.setRawMode(true);
    process.stdin.on('data', (d) => process.stdout.write('<' + JSON.stringify(String(d)) + '>'));
    process.stdout.write('\\x1b[6n');
    const { existsSync } = require('node:fs');
    // A second answer would follow the first at once.
    setInterval(() => existsSync('enough') && setTimeout(() => process.exit(), 100), 20);`;
  const letEnd = () => writeFileSync(path.join(sandbox.current.folder, 'enough'), '');
  async function textIn({ recording }: { readonly recording: string }): Promise<string> {
    return outputOf((await readRecording(recording)).records).toString();
  }

  it('are answered by the recorder without a client', async () => {
    const launched = await sandbox.current.launch([process.execPath, '-e', ASKER]);
    await until(async () => (await textIn(launched)).includes('>'), 'the answer');
    letEnd();
    await sandbox.current.settled();
    const text = await textIn(launched);
    assert.deepEqual(text.match(/<[^>]*>/g), ['<"\\u001b[1;1R">']);
  });

  it('are answered by the attached terminal, once, and not in a replay', async () => {
    const launched = await sandbox.current.launch([process.execPath, '-e', ASKER], {
      waitForClient: true,
    });
    const terminal = await Watcher.attach(launched.hostSocket, {
      ...WATCHER,
      from: 'start',
      answersQueries: true,
    });
    const onlooker = await Watcher.attach(launched.hostSocket, WATCHER);
    await until(
      () => textOf(onlooker.model).join('') === '' && terminal.replies > 0,
      'the question',
    );
    terminal.client.input(Buffer.from('answer'));
    await Watcher.attach(launched.hostSocket, { ...WATCHER, answersQueries: true });
    await until(async () => (await textIn(launched)).includes('>'), 'the answer');
    letEnd();
    await terminal.ended;
    const text = await textIn(launched);
    assert.deepEqual(text.match(/<[^>]*>/g), ['<"answer">']);
  });
});

/** A client with its own terminal, like the editor's. */
class Watcher {
  readonly client: RecorderClient;
  readonly ended: Promise<void>;
  readonly sizes: string[] = [];
  /** Number of lines in its scrollback. */
  left: string[] = [];
  model: TerminalModel;
  startOffset = 0;
  byteOffset = 0;
  states = 0;
  /** The replies to queries that the client's terminal would have sent. */
  replies = 0;

  private constructor(client: RecorderClient, delayMs: number) {
    this.client = client;
    this.model = this.#newModel(80, 24);
    this.ended = new Promise((resolve) => client.onDidExit(() => resolve()));
    client.onOutput((bytes) => {
      this.byteOffset += bytes.length;
      this.model.write(bytes, this.byteOffset);
      if (delayMs === 0) client.acknowledge(bytes.length);
      else setTimeout(() => client.acknowledge(bytes.length), delayMs);
    });
    client.onDidResize(({ cols, rows }) => {
      if (cols === this.model.size.cols && rows === this.model.size.rows) return;
      this.sizes.push(`${cols}x${rows}`);
      this.model.resize({ cols, rows });
    });
    client.onState((place) => {
      this.states++;
      this.#show(place);
      client.acknowledge(place.state.length);
    });
  }

  static async attach(hostSocket: string, params: AttachParams, delayMs = 0): Promise<Watcher> {
    const client = await RecorderClient.connect(hostSocket);
    const watcher = new Watcher(client, delayMs);
    await client.attach(params);
    await until(() => watcher.states > 0, 'the state');
    return watcher;
  }

  #show(place: { cols: number; rows: number; byteOffset: number; state: Uint8Array }): void {
    this.model = this.#newModel(place.cols, place.rows);
    this.byteOffset = place.byteOffset;
    if (this.states === 1) this.startOffset = place.byteOffset;
    this.model.write(place.state, place.byteOffset);
  }

  #newModel(cols: number, rows: number): TerminalModel {
    this.left = [];
    const model = new TerminalModel({
      size: { cols, rows },
      onLine: (line) => this.left.push(line.text),
    });
    model.onReply(() => this.replies++);
    return model;
  }
}

function play(records: readonly AhrRecord[]): TerminalModel {
  const model = new TerminalModel({ size: { cols: 80, rows: 24 } });
  for (const record of records) {
    if (record.kind === 'data')
      model.write(record.bytes, record.startByteOffset + record.bytes.length);
    else if (record.kind === 'resize') model.resize(record);
  }
  return model;
}

/** Everything that a terminal would show and do, as text. */
function screenOf(model: TerminalModel): string[] {
  return Buffer.from(model.serializeState()).toString().split('\n');
}

function textOf(model: TerminalModel): string[] {
  return model.rows().map((row) => row.text);
}

function residentBytes(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return pages * 4096;
  } catch {
    return 0;
  }
}
