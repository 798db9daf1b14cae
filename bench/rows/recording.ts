import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AhSandbox, cliFile, readRecording } from '../../test/support/ah.ts';
import { agentLikeFile } from '../agentOutput.ts';
import { median, type Row } from '../row.ts';

const BYTES = 70_000_000;
const ROUNDS = 5;
/** Compares throughput: the same output through each recorder, in turns, so that a busy moment hits them alike. */
const MIN_OF_SCRIPT = 0.8;
const MIN_OF_ASCIINEMA = 3;

/**
 * Recording a flood of agent-like output, beside `script` and asciinema, each with its output to /dev/null and without a
 * terminal. Timed from the moment the program starts until the recorder has ended and everything is in its file.
 */
export async function recordingRows(): Promise<Row[]> {
  const input = await agentLikeFile(BYTES);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ah-bench-'));
  const sandbox = new AhSandbox(folder);
  const times = { ours: [] as number[], script: [] as number[], asciinema: [] as number[] };
  const launches = { ours: [] as number[], script: [] as number[] };
  const stamp = path.join(folder, 'started');
  // What looks like a question is answered by our recorder as by any terminal: without echo that leaves no trace.
  const program = `date +%s%N > ${stamp}; stty -echo; exec cat ${input}`;
  const measure = async (name: keyof typeof times, file: string, args: string[]) => {
    const launchedMs = Date.now();
    await run(file, args, sandbox.env);
    const startedMs = Number(await readFile(stamp, 'utf8')) / 1e6;
    times[name].push(Date.now() - startedMs);
    if (name !== 'asciinema') launches[name].push(startedMs - launchedMs);
  };
  const expected = await hashOfTerminalOutput(input);
  let isWhole = true;
  for (let round = 0; round < ROUNDS; round++) {
    await measure('script', 'script', ['-q', '-c', program, path.join(folder, 'typescript')]);
    await measure('ours', process.execPath, [
      cliFile,
      'agent',
      'record',
      '--no-snapshots',
      '--',
      'sh',
      '-c',
      program,
    ]);
    await sandbox.settled(120_000);
    const [session] = await sandbox.catalogue.list();
    isWhole &&= (await recordedHash(session!.meta.recording)) === expected;
    await sandbox.catalogue.remove(session!.meta.id);
    await measure('asciinema', 'asciinema', [
      'rec',
      '-q',
      '--overwrite',
      '-c',
      program,
      path.join(folder, 'out.cast'),
    ]);
  }
  await rm(folder, { recursive: true, force: true });
  const ofScript = median(times.script) / median(times.ours);
  const ofAsciinema = median(times.asciinema) / median(times.ours);
  // How far it is to go at all: nobody reads a terminal much faster than `script`, which only copies.
  const scriptOfAsciinema = median(times.asciinema) / median(times.script);
  const launch = `started in ${median(launches.ours).toFixed(0)} against ${median(launches.script).toFixed(0)} ms`;
  return [
    {
      what: '70 MB recorded, throughput beside `script -q`',
      measured: `${ofScript.toFixed(2)} × (${isWhole ? 'every byte there' : 'BYTES MISSING'}; ${launch})`,
      budget: `≥ ${MIN_OF_SCRIPT} ×`,
      isWithin: ofScript >= MIN_OF_SCRIPT && isWhole,
    },
    {
      what: '70 MB recorded, throughput beside asciinema',
      measured: `${ofAsciinema.toFixed(2)} × (\`script\` itself: ${scriptOfAsciinema.toFixed(2)} ×)`,
      budget: `≥ ${MIN_OF_ASCIINEMA} ×`,
      isWithin: ofAsciinema >= MIN_OF_ASCIINEMA,
    },
  ];
}

async function run(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(file, args, { env, stdio: 'ignore' });
  const code = await new Promise((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  if (code !== 0) throw new Error(`${file} ended with ${String(code)}`);
}

async function recordedHash(file: string): Promise<string> {
  const hash = createHash('sha256');
  const { records } = await readRecording(file);
  for (const record of records) if (record.kind === 'data') hash.update(record.bytes);
  return hash.digest('hex');
}

/** A terminal makes two bytes of each line feed. */
async function hashOfTerminalOutput(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, 'latin1')) {
    hash.update(Buffer.from((chunk as string).replaceAll('\n', '\r\n'), 'latin1'));
  }
  return hash.digest('hex');
}
