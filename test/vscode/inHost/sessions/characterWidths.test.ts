import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { UnicodeVersion } from '../../../../src/base/unicodeVersion.ts';
import { prepareSession } from '../../../../src/extension/terminals/launchSession.ts';
import { AhSandbox, hostFile, until } from '../../../support/ah.ts';
import { GOLDEN_WIDTHS, goldenWidths, labelled } from '../../../support/terminal/goldenWidths.ts';
import { widthSequences } from '../../../support/terminal/widthSequences.ts';

describe('the width of characters', function () {
  this.timeout(120_000);
  let terminal: vscode.Terminal | undefined;

  afterEach(() => terminal?.dispose());
  after(() => set(undefined));

  /** The column of the cursor, from 0, after the terminal has printed each sequence at its left. */
  async function answersOf(sequences: readonly string[]): Promise<number[]> {
    const answers: number[] = [];
    const writes = new vscode.EventEmitter<string>();
    let input = '';
    let isOpen = false;
    const pty: vscode.Pseudoterminal = {
      onDidWrite: writes.event,
      open: () => (isOpen = true),
      close: () => {},
      handleInput(data) {
        input += data;
        for (let match; (match = /\x1b\[\d+;(\d+)R/.exec(input));) {
          answers.push(Number(match[1]) - 1);
          input = input.slice(match.index + match[0].length);
        }
      },
    };
    terminal = vscode.window.createTerminal({ name: 'widths', pty });
    terminal.show();
    await until(() => isOpen, 'the terminal');
    for (const sequence of sequences) writes.fire(`\x1b[2J\x1b[H${sequence}\x1b[6n`);
    await until(() => answers.length >= sequences.length, 'all answers', 30_000);
    terminal.dispose();
    return answers;
  }

  it('in the editor’s terminal is as the tests of the model and the page expect it', async () => {
    const sequences = widthSequences();
    const answers: Partial<Record<UnicodeVersion, number[]>> = {};
    for (const version of ['6', '11'] as const) {
      await set(version);
      answers[version] = await answersOf(sequences);
    }
    if (process.env['UPDATE_GOLDEN'] !== undefined)
      writeFileSync(GOLDEN_WIDTHS, `${JSON.stringify(answers)}\n`);
    for (const version of ['6', '11'] as const) {
      const expected = labelled(sequences, goldenWidths()[version]);
      assert.deepEqual(labelled(sequences, answers[version]!), expected, `setting ${version}`);
    }
  });

  it('is stored with each session that the extension starts', async function () {
    if (process.platform !== 'linux') this.skip(); // The search for recorders needs Linux.
    const sandbox = new AhSandbox(process.env['AH_DATA_DIR']!);
    const sessionsFolder = path.join(sandbox.folder, 'sessions');
    const paths = { hostFile, commandLineFile: '', sessionsFolder };
    for (const version of ['6', '11'] as const) {
      await set(version);
      const prepared = await prepareSession(paths, { cmd: ['/bin/cat'], name: 'cat' });
      const { id, client } = await prepared.begin({ cols: 80, rows: 24 });
      client.dispose();
      assert.equal((await sandbox.catalogue.get(id)).meta.unicodeVersion, version);
    }
    await sandbox.killRecorders();
  });
});

async function set(version: UnicodeVersion | undefined): Promise<void> {
  const target = vscode.ConfigurationTarget.Global;
  const settings = vscode.workspace.getConfiguration('terminal.integrated');
  await settings.update('unicodeVersion', version, target);
}
