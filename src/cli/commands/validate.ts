import { Command } from 'commander';
import { byteText } from '../../base/byteText.ts';
import { brotliDecompressor } from '../../platform/node/files/brotli.ts';
import type { FileSource } from '../../platform/node/files/fileSource.ts';
import { validateRecording, type ValidationReport } from '../../recording/read/validator.ts';
import { counted } from '../formatting.ts';
import { notARecording, withSource } from '../recordings/withRecording.ts';
import { Progress } from '../progress.ts';

export function validateCommand(): Command {
  return new Command('validate')
    .description('Check a recording; the exit code is 0 when it is intact, 1 when it is damaged')
    .argument('<file>', 'The .ahr file')
    .action((file: string) => withSource(file, (source) => validate(file, source)));
}

async function validate(file: string, source: FileSource): Promise<void> {
  const progress = new Progress('Checking');
  const report = await validateRecording(source, brotliDecompressor, {
    onProgress: (done, total) => progress.update(done / total),
  }).finally(() => progress.done());
  if (report.blocks === 0 && report.goodBytes === 0 && !report.ok) {
    throw notARecording(file, report.problems[0]);
  }
  process.stdout.write(describe(file, report, await source.size()));
  if (!report.ok) process.exitCode = 1;
}

function describe(file: string, report: ValidationReport, fileBytes: number): string {
  const { ok, blocks, records, dataBytes, goodBytes, problems, furtherProblems, isFinished } =
    report;
  const lines = [
    `${file}: ${ok ? 'intact' : 'damaged'}`,
    `${counted(blocks, 'block')}, ${counted(records, 'record')}, ${byteText(dataBytes)} of output${isFinished ? '' : ', not completed by its recorder'}`,
    ...problems.map(({ severity, message }) => `${severity}: ${message}`),
    ...(furtherProblems > 0 ? [`and ${furtherProblems} more`] : []),
    ...(ok ? [] : [`The first ${goodBytes} of ${fileBytes} bytes are intact.`]),
  ];
  return `${lines.join('\n')}\n`;
}
