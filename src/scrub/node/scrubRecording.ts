import { rm } from 'node:fs/promises';
import path from 'node:path';
import { RecordingReader } from '../../recording/read/reader.ts';
import { syncFolder } from '../../platform/node/files/atomicFile.ts';
import { brotliCompressor, brotliDecompressor } from '../../platform/node/files/brotli.ts';
import { FileSink } from '../../platform/node/files/fileSink.ts';
import { FileSource } from '../../platform/node/files/fileSource.ts';
import { scrubBlocks } from '../common/scrubBlocks.ts';
import { planScrub } from '../common/scrubPlan.ts';
import { draftOf } from './journal/scrubJournal.ts';

export interface DraftedRecording {
  /** The number of matches. */
  readonly matches: number;
  /** Whether there is a draft, because the recording changes. */
  readonly hasDraft: boolean;
  /** The number of blocks that can't be read; they stay as they are. */
  readonly unreadBlocks: number;
}

/** Writes a draft beside a finished recording: its copy without `text`. */
export async function draftRecording(
  file: string,
  text: string,
  { quality, signal }: { readonly quality: number; readonly signal: AbortSignal },
): Promise<DraftedRecording> {
  const source = await FileSource.open(file);
  const draft = draftOf(file);
  let hasDraft = false;
  try {
    const reader = await RecordingReader.open(source, brotliDecompressor);
    const plan = await planScrub(reader.records({ signal }), text);
    const sink = await FileSink.create(draft);
    try {
      const codecs = { decompressor: brotliDecompressor, compressor: brotliCompressor };
      const options = { source, sink, ...codecs, quality, signal };
      const { hasChanged, unread } = await scrubBlocks(plan, text, options);
      hasDraft = hasChanged;
      return { matches: plan.matches, hasDraft, unreadBlocks: unread.length };
    } finally {
      await sink.close();
    }
  } finally {
    await source.close();
    if (!hasDraft) await rm(draft, { force: true });
    await syncFolder(path.dirname(file));
  }
}
