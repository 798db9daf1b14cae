import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  CommandMarkScanner,
  type CommandMark,
} from '../../../src/timeline/common/moments/commandMarks.ts';
import { RecorderClient } from '../../../src/sessions/node/recorderClient.ts';
import type { LaunchSpec } from '../../../src/sessions/node/launchSpec.ts';
import { outputOf, readRecording, until, type AhSandbox, type LaunchedSession } from '../ah.ts';
import { outputOfClient } from '../recording/outputOfClient.ts';

/** The prompt that the tests' startup files set. */
export const PROMPT = 'ready> ';

/** A recorded shell, in which a test types. */
export class RecordedShell {
  readonly session: LaunchedSession;
  readonly #client: RecorderClient;
  readonly #shown: () => string;

  private constructor(session: LaunchedSession, client: RecorderClient, shown: () => string) {
    this.session = session;
    this.#client = client;
    this.#shown = shown;
  }

  static async start(
    sandbox: AhSandbox,
    cmd: readonly string[],
    options: Partial<LaunchSpec> = {},
  ): Promise<RecordedShell> {
    const session = await sandbox.launch(cmd, { integratesShell: true, ...options });
    const client = await RecorderClient.connect(session.hostSocket);
    const shell = new RecordedShell(session, client, await outputOfClient(client));
    await shell.shows(PROMPT);
    return shell;
  }

  get shown(): string {
    return this.#shown();
  }

  shows(text: string): Promise<void> {
    return until(() => this.shown.includes(text), `"${text}" on the screen`);
  }

  /** Types a line. */
  type(line: string): void {
    this.#client.input(Buffer.from(`${line}\r`));
  }

  /** Types a line and waits until it has written this file. */
  async typeUntilFile(line: string, file: string): Promise<void> {
    this.type(line);
    await until(() => existsSync(file), file);
  }

  /** Types a line and waits for the snapshot after it. */
  async typeUntilSnapshot(line: string): Promise<void> {
    const before = this.#snapshotCount();
    this.type(line);
    await until(() => this.#snapshotCount() > before, `the snapshot after "${line}"`);
  }

  /** Leaves the shell. @returns its exit code, and the marks in its recording */
  async exit(line = 'exit 5'): Promise<{ exitCode: number | undefined; marks: CommandMark[] }> {
    this.type(line);
    await until(
      async () => (await this.session.session()).meta.state === 'finished',
      'the end of the shell',
    );
    this.#client.dispose();
    const { meta } = await this.session.session();
    const { records } = await readRecording(this.session.recording);
    return {
      exitCode: meta.exitCode,
      marks: new CommandMarkScanner().scan(outputOf(records), 0),
    };
  }

  #snapshotCount(): number {
    const file = path.join(this.session.folder, 'session.snapshots.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => /"trigger":"command".*"fs_snapshot":true/.test(line)).length;
  }
}

/** The exit codes of finished commands; without marks that end no command. */
export function exitCodesOf(marks: readonly CommandMark[]): (number | undefined)[] {
  const codes: (number | undefined)[] = [];
  for (const [index, { kind, exitCode }] of marks.entries()) {
    if (kind === 'finished' && marks[index - 1]?.kind === 'started') codes.push(exitCode);
  }
  return codes;
}

export function commandsOf(marks: readonly CommandMark[]): (string | undefined)[] {
  assert.ok(marks.length > 0, 'no marks');
  return marks.flatMap(({ kind, command }) => (kind === 'started' ? [command] : []));
}
