import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from 'node-pty';
import { RecorderClient } from '../../src/sessions/node/recorderClient.ts';
import { AhSandbox } from '../../test/support/ah.ts';
import { percentile, type Row } from '../row.ts';

const KEYS = 1500;
const WARM_UP_KEYS = 200;
const MAX_MORE_MS = 2;

/** Sends a key and waits for its echo. */
interface Typewriter {
  send(key: string): void;
  onEcho(listener: () => void): void;
}

/** Time from a key to its echo, through the recorder and a bare pty in turns. */
export async function keyEchoRows(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ah-bench-'));
  const sandbox = new AhSandbox(folder);
  const bare = spawn('cat', [], { cols: 80, rows: 24 });
  const launched = await sandbox.launch(['/bin/cat']);
  const client = await RecorderClient.connect(launched.hostSocket);
  const echoes: (() => void)[] = [];
  client.onOutput((bytes) => {
    client.acknowledge(bytes.length);
    echoes.forEach((listener) => listener());
  });
  await client.attach({
    from: 'state',
    answersQueries: true,
    lossless: true,
    windowBytes: 1024 * 1024,
    historyLines: 0,
  });
  const typewriters: Record<'bare' | 'recorded', Typewriter> = {
    bare: { send: (key) => bare.write(key), onEcho: (listener) => void bare.onData(listener) },
    recorded: {
      send: (key) => client.input(Buffer.from(key)),
      onEcho: (listener) => void echoes.push(listener),
    },
  };
  const times = { bare: [] as number[], recorded: [] as number[] };
  const type = { bare: typist(typewriters.bare), recorded: typist(typewriters.recorded) };
  await sleep(300);
  for (let index = 0; index < WARM_UP_KEYS + KEYS; index++) {
    for (const name of ['bare', 'recorded'] as const) {
      const time = await type[name](index % 60 === 59 ? '\r' : 'x');
      if (index >= WARM_UP_KEYS) times[name].push(time);
      await sleep(1);
    }
  }
  bare.kill();
  await client.stop();
  await sandbox.dispose();
  await rm(folder, { recursive: true, force: true });
  const more = percentile(times.recorded, 0.99) - percentile(times.bare, 0.99);
  const show = (share: number) =>
    `${percentile(times.recorded, share).toFixed(2)} against ${percentile(times.bare, share).toFixed(2)} ms`;
  return [
    {
      what: 'time from a key to its echo, compared with a bare pty, p99',
      measured: `${more.toFixed(2)} ms more (${show(0.99)}; median ${show(0.5)})`,
      budget: `≤ ${MAX_MORE_MS} ms more`,
      isWithin: more <= MAX_MORE_MS,
    },
  ];
}

function typist(typewriter: Typewriter): (key: string) => Promise<number> {
  let heard: (() => void) | undefined;
  typewriter.onEcho(() => heard?.());
  return async (key) => {
    const echo = new Promise<void>((resolve) => (heard = resolve));
    const start = performance.now();
    typewriter.send(key);
    await echo;
    const time = performance.now() - start;
    heard = undefined;
    return time;
  };
}
