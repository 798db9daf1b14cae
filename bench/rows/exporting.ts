import type * as headless from '@xterm/headless';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cliFile } from '../../test/support/ah.ts';
import { agentLikeFile } from '../agentOutput.ts';
import { longRecording, RECORDED_SIZE } from '../longRecording.ts';
import { timeMs, type Row } from '../row.ts';

// A CommonJS module whose exports Node can't detect.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as typeof headless;

const SPEED_BYTES = 70_000_000;
const MEMORY_BYTES = 1_000_000_000;
const MIN_OF_PARSER = 0.7;
const MAX_MEMORY_BYTES = 250e6;

/** Final lines of a recording, compared with xterm's parser, and the memory for a long one. */
export async function exportingRows(): Promise<Row[]> {
  const bareMs = await timeMs(async () => parse(await readFile(await agentLikeFile(SPEED_BYTES))));
  const { ms } = await exportOnce(await longRecording(SPEED_BYTES));
  const ratio = bareMs / ms;
  const { maxRssBytes } = await exportOnce(await longRecording(MEMORY_BYTES));
  return [
    {
      what: 'final lines, compared with the bare parser, 70 MB',
      measured: `${ratio.toFixed(2)} ×`,
      budget: `≥ ${MIN_OF_PARSER} ×`,
      isWithin: ratio >= MIN_OF_PARSER,
    },
    {
      what: 'memory for the final lines of 1 GB',
      measured: `${Math.round(maxRssBytes / 1e6)} MB`,
      budget: '< 250 MB',
      isWithin: maxRssBytes < MAX_MEMORY_BYTES,
    },
  ];
}

async function parse(bytes: Uint8Array): Promise<void> {
  const terminal = new Terminal({ ...RECORDED_SIZE, scrollback: 1000, allowProposedApi: true });
  for (let offset = 0; offset < bytes.length; offset += 65536) {
    await new Promise<void>((resolve) =>
      terminal.write(bytes.subarray(offset, offset + 65536), resolve),
    );
  }
  terminal.dispose();
}

/** Runs the CLI in a separate process, to measure its memory. */
async function exportOnce(recording: string): Promise<{ ms: number; maxRssBytes: number }> {
  const args = [cliFile, 'agent', 'branch-points', '--format', 'json', '--session', recording];
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let maxRssBytes = 0;
  const look = setInterval(() => (maxRssBytes = highWaterBytes(child.pid!) || maxRssBytes), 50);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`the export ended with ${String(code)}`);
  return { ms: performance.now() - start, maxRssBytes };
}

/** A process's peak memory, as the kernel counts it. */
function highWaterBytes(pid: number): number {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(match?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
