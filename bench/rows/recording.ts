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
/** Alternates between the recorders, so that other work on the machine affects all alike. */
const MIN_OF_SCRIPT = 0.8;
const MIN_OF_ASCIINEMA = 3;

/**
 * Records a flood of agent-like output with AH, `script` and asciinema, each with output to
 * /dev/null and without a terminal. Measures from the program's start until the recorder has ended
 * and the file is complete.
 */
export async function recordingRows(): Promise<Row[]> {
  const input = await agentLikeFile(BYTES);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ah-bench-'));
  const sandbox = new AhSandbox(folder);
  const times = { ours: [] as number[], script: [] as number[], asciinema: [] as number[] };
  const launches = { ours: [] as number[], script: [] as number[] };
  const stamp = path.join(folder, 'started');
  // The recorder answers queries in the output, like a terminal; without echo that has no effect.
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
  // The possible ratio: no recorder reads much faster than `script`, which only copies.
  const scriptOfAsciinema = median(times.asciinema) / median(times.script);
  const launch = `started in ${median(launches.ours).toFixed(0)} against ${median(launches.script).toFixed(0)} ms`;
  return [
    {
      what: 'throughput of recording 70 MB, compared with `script -q`',
      measured: `${ofScript.toFixed(2)} × (${isWhole ? 'every byte there' : 'BYTES MISSING'}; ${launch})`,
      budget: `≥ ${MIN_OF_SCRIPT} ×`,
      isWithin: ofScript >= MIN_OF_SCRIPT && isWhole,
    },
    {
      what: 'throughput of recording 70 MB, compared with asciinema',
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

/** A terminal prints each line feed as two bytes. */
async function hashOfTerminalOutput(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, 'latin1')) {
    hash.update(Buffer.from((chunk as string).replaceAll('\n', '\r\n'), 'latin1'));
  }
  return hash.digest('hex');
}
