import { Command } from 'commander';
import { UserError } from '../../base/errors.ts';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { checkAtRest, scrubSession, type ScrubResult } from '../../scrub/node/scrubSession.ts';
import { removeIndex, searchIndexFile } from '../../search/node/factIndex.ts';
import { counted } from '../formatting.ts';
import { readHidden } from '../terminal/readHidden.ts';
import { JSON_OUTPUT, SESSION_ID } from '../descriptions.ts';

export function scrubCommand(): Command {
  return new Command('scrub')
    .description(
      'Permanently remove a text from a session: recording, events, transcripts and snapshots',
    )
    .argument('<session>', SESSION_ID)
    .option('--json', JSON_OUTPUT)
    .addHelpText(
      'after',
      "\nThe command asks for the text or reads it from standard input, since other users can see command lines.\nIt does not change files of the workspace, of branches, or the agent's own files.",
    )
    .action(scrub);
}

async function scrub(id: string, options: { json?: boolean }): Promise<void> {
  const catalogue = new Catalogue();
  const session = await catalogue.find(id);
  await checkAtRest(session, catalogue);
  const text = await readHidden('Text to remove: ');
  if (text === '') throw new UserError('bad-argument', 'No text was given.');
  const abort = new AbortController();
  process.once('SIGINT', () =>
    abort.abort(new UserError('cancelled', 'Stopped. Nothing was changed.')),
  );
  const result = await scrubSession(session, text, {
    catalogue,
    signal: abort.signal,
    forgetSearch: () => removeIndex(searchIndexFile()),
    onReport: (report) => process.stderr.write(`ah: ${report}\n`),
  });
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : resultText(result));
}

function resultText(result: ScrubResult): string {
  const { recording, files, rewrittenSnapshots, removedSnapshots, left } = result;
  const others = [
    ...left.agentFiles.map((file) => `${file} (the agent's own file)`),
    ...left.sessions.map(
      (id) => `session ${id} (a branch; to remove it there: ah agent scrub ${id})`,
    ),
    ...left.folders.map((folder) => `the name of folder ${folder}`),
    ...left.screens.map((byte) => `the screen at @${byte}, where a program drew it piece by piece`),
  ];
  const lines = [
    `Removed ${counted(recording, 'occurrence')} in the recording; changed ${counted(files, 'other file')}; rewrote ${counted(rewrittenSnapshots, 'snapshot')}.`,
    ...(removedSnapshots > 0
      ? [`Deleted ${counted(removedSnapshots, 'snapshot')} that contained the text.`]
      : []),
    ...(left.screens.length === 0 ? ['The text is gone from all files of the session.'] : []),
    ...(others.length > 0 ? ['The text is still in:', ...others.map((other) => `  ${other}`)] : []),
    'Files of the workspace and of branches were not changed.',
  ];
  return `${lines.join('\n')}\n`;
}
