import { Readable } from 'node:stream';
import { Command } from 'commander';
import { conversationText } from '../recordings/conversationText.ts';
import { withExport } from '../recordings/withExport.ts';
import { writeOut } from '../writeOut.ts';

export function transcriptCommand(): Command {
  return new Command('transcript')
    .description(
      'Print a session as Markdown: prompts, answers, tool calls and diffs, or the commands of a shell',
    )
    .option('--session <id|file>', 'The session or .ahr file (default: the newest session)')
    .option('--redact', 'Replace recognizable secrets')
    .action((options: { session?: string; redact?: true }) =>
      withExport(options.session, (recording) =>
        writeOut(Readable.from(conversationText(recording, options.redact))),
      ),
    );
}
