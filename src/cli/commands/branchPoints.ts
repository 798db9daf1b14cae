import { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import {
  BRANCH_POINTS_FORMATS,
  branchPointsText,
  type BranchPointsFormat,
} from '../branchPointsText.ts';
import { withRecording } from '../withRecording.ts';
import { writeOut } from '../writeOut.ts';

export function branchPointsCommand(): Command {
  return new Command('branch-points')
    .description('print the final lines of a session, with its snapshots where they were taken')
    .option('--session <id|file>', 'which session (default: the newest)')
    .addOption(new Option('--format <format>').choices(BRANCH_POINTS_FORMATS).default('md'))
    .option('--redact', 'leave out what looks like a secret')
    .action(printBranchPoints);
}

async function printBranchPoints(options: {
  session?: string;
  format: BranchPointsFormat;
  redact?: true;
}): Promise<void> {
  await withRecording(options.session, (recording) =>
    writeOut(Readable.from(branchPointsText(recording, options.format, options.redact))),
  );
}
