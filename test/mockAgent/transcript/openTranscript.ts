import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CommandLine } from '../commandLine.ts';
import type { Pace } from '../pace.ts';
import { Random } from '../random.ts';
import type { TranscriptSettings } from '../scenario/scenario.ts';
import { Transcript, type TranscriptListener } from './transcript.ts';
import { noTranscriptFile, openTranscriptFile, readTranscriptEnd } from './transcriptFile.ts';

export type TranscriptOptions = Pick<
  CommandLine,
  'transcript' | 'sessionId' | 'resume' | 'transcriptPartial' | 'transcriptTruncate'
>;

/** Opens the transcript of the scenario or, preferably, the command line; none without a path. */
export async function openTranscript(
  settings: TranscriptSettings,
  options: TranscriptOptions,
  { folder, seed, pace }: { folder: string; seed: number; pace: Pace },
  listener?: TranscriptListener,
): Promise<Transcript> {
  const { startTimeMs } = settings;
  const nowMs = (): number =>
    startTimeMs === undefined ? Date.now() : startTimeMs + Math.round(pace.elapsedMs);
  const file = transcriptPath(settings, options, folder);
  const earlier = file !== undefined && options.resume ? await readTranscriptEnd(file) : undefined;
  const lastUuid = earlier?.lastUuid ?? null;
  const random = idSource(seed, lastUuid);
  const newSessionId = random.uuid();
  const identity = {
    sessionId: options.sessionId ?? earlier?.sessionId ?? settings.sessionId ?? newSessionId,
    cwd: folder,
    parentUuid: lastUuid,
  };
  if (file === undefined)
    return new Transcript(noTranscriptFile, random, identity, nowMs, listener);
  if (!earlier) await rm(file, { force: true });
  const damage = {
    partialLines: options.transcriptPartial || settings.partialLines,
    truncateBytes: options.transcriptTruncate ?? settings.truncateBytes,
  };
  return new Transcript(await openTranscriptFile(file, damage), random, identity, nowMs, listener);
}

function transcriptPath(
  settings: TranscriptSettings,
  options: TranscriptOptions,
  folder: string,
): string | undefined {
  if (options.transcript !== undefined) return path.resolve(options.transcript);
  return settings.path === undefined ? undefined : path.resolve(folder, settings.path);
}

/**
 * Random numbers only for IDs, so that the screen does not depend on the transcript. A continued
 * session uses others, so that no ID is repeated.
 */
function idSource(seed: number, lastUuid: string | null): Random {
  const continued = lastUuid === null ? 0 : Number.parseInt(lastUuid.slice(0, 8), 16);
  return new Random(seed ^ 0x7472616e ^ continued);
}
