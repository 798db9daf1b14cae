import { Command } from 'commander';
import { UserError } from '../../base/errors.ts';
import { Catalogue } from '../../sessions/node/catalogue.ts';
import { scrubSession, type ScrubResult } from '../../scrub/node/scrubSession.ts';
import { removeIndex, searchIndexFile } from '../../search/node/factIndex.ts';
import { readHidden } from '../readHidden.ts';

export function scrubCommand(): Command {
  return new Command('scrub')
    .description(
      'remove a text from a session for good: recording, events, transcripts and snapshots',
    )
    .argument('<session>', 'id of the session, or its beginning or end')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      "\nThe text is asked for, or read from standard input: on the command line others could see it.\nFiles of the workspace and of branches, and the agent's own, stay as they are.",
    )
    .action(scrub);
}

async function scrub(id: string, options: { json?: boolean }): Promise<void> {
  const catalogue = new Catalogue();
  const session = await catalogue.find(id);
  const text = await readHidden('Text to remove: ');
  if (text === '') throw new UserError('bad-argument', 'There is no text to remove.');
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort(new UserError('cancelled', 'Stopped; do it again.')));
  const result = await scrubSession(session, text, {
    ...{ catalogue, signal: abort.signal },
    forgetSearch: () => removeIndex(searchIndexFile()),
  });
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : resultText(result));
}

function resultText(result: ScrubResult): string {
  const { recording, files, rewrittenSnapshots, removedSnapshots, left } = result;
  const others = [
    ...left.agentFiles.map((file) => `${file}, which is the agent's own`),
    ...left.sessions.map((id) => `session ${id}, which is a branch: ah agent scrub ${id}`),
    ...left.folders.map((folder) => `the name of the folder ${folder}`),
  ];
  const lines = [
    `${recording} × in the recording, ${files} other files, ${rewrittenSnapshots} snapshots written anew.`,
    ...(removedSnapshots > 0 ? [`${removedSnapshots} snapshots that had it are removed.`] : []),
    'It is gone from everything that is kept of the session.',
    ...(others.length > 0 ? ['It is still in:', ...others.map((other) => `  ${other}`)] : []),
    'The files of your workspace, and of branches, were not touched.',
  ];
  return `${lines.join('\n')}\n`;
}
