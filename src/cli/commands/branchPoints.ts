import { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import {
  BRANCH_POINTS_FORMATS,
  branchPointsText,
  type BranchPointsFormat,
} from '../recordings/branchPointsText.ts';
import { withExport } from '../recordings/withExport.ts';
import { writeOut } from '../writeOut.ts';

export function branchPointsCommand(): Command {
  return new Command('branch-points')
    .description('Print the final lines of a session, with a mark where each snapshot was taken')
    .option('--session <id|file>', 'The session or .ahr file (default: the newest session)')
    .addOption(
      new Option('--format <format>', 'Output format').choices(BRANCH_POINTS_FORMATS).default('md'),
    )
    .option('--redact', 'Replace recognizable secrets')
    .action(printBranchPoints);
}

async function printBranchPoints(options: {
  session?: string;
  format: BranchPointsFormat;
  redact?: true;
}): Promise<void> {
  await withExport(options.session, (recording) =>
    writeOut(Readable.from(branchPointsText(recording, options.format, options.redact))),
  );
}
