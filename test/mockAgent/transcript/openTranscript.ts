import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CommandLine } from '../commandLine.ts';
import type { Pace } from '../pace.ts';
import { Random } from '../random.ts';
import type { TranscriptSettings } from '../scenario/scenario.ts';
import { Transcript } from './transcript.ts';
import { noTranscriptFile, openTranscriptFile, readTranscriptEnd } from './transcriptFile.ts';

type TranscriptOptions = Pick<
  CommandLine,
  'transcript' | 'sessionId' | 'resume' | 'transcriptPartial' | 'transcriptTruncate'
>;

/** The transcript that scenario and command line ask for; the command line wins. Without a path nothing is written. */
export async function openTranscript(
  settings: TranscriptSettings,
  options: TranscriptOptions,
  { folder, seed, pace }: { folder: string; seed: number; pace: Pace },
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
  if (file === undefined) return new Transcript(noTranscriptFile, random, identity, nowMs);
  if (!earlier) await rm(file, { force: true });
  const damage = {
    partialLines: options.transcriptPartial || settings.partialLines,
    truncateBytes: options.transcriptTruncate ?? settings.truncateBytes,
  };
  return new Transcript(await openTranscriptFile(file, damage), random, identity, nowMs);
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
 * Numbers for ids alone, so that what the screen shows does not depend on the transcript;
 * and others for a continued session, so that no id comes twice.
 */
function idSource(seed: number, lastUuid: string | null): Random {
  const continued = lastUuid === null ? 0 : Number.parseInt(lastUuid.slice(0, 8), 16);
  return new Random(seed ^ 0x7472616e ^ continued);
}
