import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scanBlocks } from '../../../src/recording/read/scan.ts';
import { FileSource } from '../../../src/platform/node/files/fileSource.ts';
import { ScreenText } from '../../../src/timeline/common/search/screenText.ts';
import { cliFile, collect, outputOf, readRecording, type RunResult } from '../../support/ah.ts';
import { placesOf } from '../../support/recording/secretPlaces.ts';
import { useSandbox } from '../../support/useSandbox.ts';

const SECRET = 'Sk-proj-0123456789abcdefghijklmnopqrstuv';

/** Redraws an input line at each key, as the input boxes of agents do, then prints the whole text. */
const TYPING = `s="$1"; for ((i = 1; i <= \${#s}; i++)); do
printf '\\r\\033[K\\033[2m> \\033[0m%s\\033[7m \\033[0m\\r\\n busy %s\\033[1A' "\${s:0:i}" "$i"; sleep 0; done
printf '\\r\\n\\r\\nyou said: %s\\r\\n' "$s"`;

describe('ah agent scrub, in recordings of typing and with damage', function () {
  this.timeout(60_000);
  const sandbox = useSandbox();

  async function scrub(id: string): Promise<RunResult> {
    const args = [cliFile, 'agent', 'scrub', id, '--json'];
    const child = spawn(process.execPath, args, { env: sandbox.current.env, stdio: 'pipe' });
    child.stdin.end(`${SECRET}\n`);
    return collect(child);
  }

  /** All lines that were ever on the screen. */
  async function linesOf(recording: string): Promise<string[]> {
    const lines: string[] = [];
    const size = { cols: 80, rows: 24 };
    const screen = new ScreenText({ size, onLine: (line) => lines.push(line) });
    for (const record of (await readRecording(recording)).records) screen.play(record);
    screen.dispose();
    return lines;
  }

  it('removes a text that was typed key by key from the recording, caches, events and transcripts', async () => {
    const session = await sandbox.current.launch(['/bin/bash', '-c', TYPING, 'sh', SECRET]);
    await sandbox.current.settled();
    const typed = (lines: readonly string[]) => lines.filter((line) => /> Sk/.test(line));
    const before = outputOf((await readRecording(session.recording)).records).length;
    assert.ok(typed(await linesOf(session.recording)).length > 0);
    const event = JSON.stringify({ kind: 'prompt', text: `use ${SECRET}` });
    writeFileSync(path.join(session.folder, 'session.events.jsonl'), `${event}\n`);
    writeFileSync(path.join(session.folder, 'session.keyframes'), SECRET.slice(0, 39));
    const { exitCode, stderr, stdout } = await scrub(session.id);
    assert.equal(stderr, '');
    assert.equal(exitCode, 0);
    assert.deepEqual((JSON.parse(stdout.toString()) as { left: object }).left, {
      agentFiles: [],
      sessions: [],
      folders: [],
      screens: [],
    });
    assert.deepEqual(await placesOf([session.folder], SECRET.slice(0, 8)), []);
    const lines = await linesOf(session.recording);
    assert.deepEqual(typed(lines), []);
    assert.ok(lines.some((line) => line.startsWith('> *')));
    assert.ok(lines.includes(`you said: ${'*'.repeat(40)}`));
    assert.ok(lines.some((line) => line.trim() === 'busy 40'));
    assert.equal(outputOf((await readRecording(session.recording)).records).length, before);
  });

  it('reports a screen where a program drew the text out of order', async () => {
    const backwards = Array.from(
      SECRET,
      (letter, at) => `\\033[5;${at + 1}H${letter}`,
    ).toReversed();
    const program = `printf '${backwards.join('')}'; sleep 0; printf '\\r\\n'`;
    const session = await sandbox.current.launch(['/bin/bash', '-c', program]);
    await sandbox.current.settled();
    const { stdout } = await scrub(session.id);
    const { left } = JSON.parse(stdout.toString()) as { left: { screens: number[] } };
    assert.equal(left.screens.length, 1);
  });

  it('reports a damaged block, leaves it, and scrubs all others', async () => {
    const program = `for n in 1 2 3; do echo "$n $1"; "$2" "$3" agent fs snapshot; done; head -c 900000 /dev/urandom | base64; echo "4 $1"`;
    const args = ['/bin/sh', '-c', program, 'sh', SECRET, process.execPath, cliFile];
    const session = await sandbox.current.launch(args);
    await sandbox.current.settled();
    const source = await FileSource.open(session.recording);
    const { blocks } = await scanBlocks(source);
    await source.close();
    assert.ok(blocks.length >= 2, String(blocks.length));
    const { payloadOffset, compressedLength } = blocks[1]!;
    const bytes = readFileSync(session.recording);
    bytes.fill(0xff, payloadOffset, payloadOffset + compressedLength);
    writeFileSync(session.recording, bytes);
    const { exitCode, stderr } = await scrub(session.id);
    assert.match(stderr, /except from these places: 1 block of the recording can't be read/);
    assert.equal(exitCode, 1);
    const { reader, records } = await readRecording(session.recording);
    assert.equal(reader.blocks.length, blocks.length);
    const output = outputOf(records).toString();
    assert.match(output, /1 \*{40}\r\n/);
    assert.ok(!output.includes(SECRET.slice(0, 8)));
    const after = readFileSync(session.recording);
    assert.ok(after.includes(bytes.subarray(payloadOffset, payloadOffset + compressedLength)));
  });
});
