import { ScreenText } from '../../timeline/common/search/screenText.ts';
import { DEFAULT_TERMINAL_SIZE } from '../../terminal/screen/defaultSize.ts';
import { brotliDecompressor } from '../../platform/node/files/brotli.ts';
import { FileSource } from '../../platform/node/files/fileSource.ts';
import { RecordingReader } from '../../recording/read/reader.ts';
import type { CataloguedSession } from '../../sessions/node/catalogue.ts';
import { unicodeVersionOf } from '../../sessions/node/sessionOfRecording.ts';

/** Limits the report: from these places, the user finds the others. */
const MAX_PLACES = 5;

/**
 * Plays a recording and finds a text on its screen, however a program drew it there.
 * @returns byte offsets at which it appears
 */
export async function textOnScreen(
  { meta }: CataloguedSession,
  text: string,
  signal: AbortSignal,
): Promise<number[]> {
  const places: number[] = [];
  let byteOffset = 0;
  const screen = new ScreenText({
    size: DEFAULT_TERMINAL_SIZE,
    unicodeVersion: unicodeVersionOf(meta),
    onLine: (line) => {
      if (line.includes(text) && places.at(-1) !== byteOffset) places.push(byteOffset);
    },
  });
  const source = await FileSource.open(meta.recording);
  try {
    const reader = await RecordingReader.open(source, brotliDecompressor);
    for await (const record of reader.records({ signal })) {
      if (record.kind === 'data') byteOffset = record.startByteOffset + record.bytes.length;
      screen.play(record);
      if (places.length >= MAX_PLACES) break;
    }
  } finally {
    screen.dispose();
    await source.close();
  }
  return places;
}
