import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BranchRegistry } from '../../../src/branching/node/branchRegistry.ts';
import { readEvents } from '../../../src/sessions/node/eventsFile.ts';
import type { SessionFiles } from '../../../src/snapshots/node/list/sessionFiles.ts';
import { cliFile, collect } from '../../support/ah.ts';
import { placeBranchable } from '../../support/branching/branchableSession.ts';
import { userGit } from '../../support/git/gitWorkspace.ts';
import { filesIn, placesOf } from '../../support/recording/secretPlaces.ts';
import { useSandbox } from '../../support/useSandbox.ts';
import { useTemporaryFolder } from '../../support/temporaryFolder.ts';

const SECRET = 'planted "quoted" <pässword>/42';
const AGENTS = ['claudeCode', 'codex', 'gemini', 'copilot'];

/** The text in branches, in the agents' homes, and in the registry of branches. */
describe('a scrubbed text, in a session with branches', function () {
  this.timeout(120_000);
  const sandbox = useSandbox();
  const place = useTemporaryFolder();
  let home = '';
  let workspace = '';

  async function planted(agent: string): Promise<{ files: SessionFiles; original: string }> {
    home = path.join(place.path, 'home');
    workspace = path.join(place.path, 'project');
    for (const each of [home, workspace]) mkdirSync(each, { recursive: true });
    await userGit(workspace, 'init', '-q');
    const steps = [() => writeFileSync(path.join(workspace, 'a.txt'), 'harmless\n')];
    const cmd = [process.execPath];
    const files = await placeBranchable(sandbox.current, workspace, { agent, steps, cmd });
    const { folder } = files.session;
    const kept = path.join(folder, 'agent/transcripts/1.jsonl');
    const coded = JSON.stringify(SECRET).slice(1, -1);
    for (const [file, words] of [
      [kept, 'three-tools please'],
      [path.join(folder, 'session.events.jsonl'), 'echo one'],
    ] as const) {
      const text = readFileSync(file, 'utf8');
      assert.ok(text.includes(words), file);
      writeFileSync(file, text.replaceAll(words, `use ${coded}`));
    }
    // The agent's own file still exists.
    const original = path.join(home, 'original.jsonl');
    writeFileSync(original, readFileSync(kept));
    const index = `${JSON.stringify({ file: '1.jsonl', source: original })}\n`;
    writeFileSync(path.join(folder, 'agent/transcripts/index.jsonl'), index);
    return { files, original };
  }

  async function ah(args: readonly string[], input = '') {
    const env = { ...sandbox.current.env, AH_SNAPSHOTS: '1', HOME: home };
    const child = spawn(process.execPath, [cliFile, 'agent', ...args], { env, stdio: 'pipe' });
    child.stdin.end(input);
    const { exitCode, stdout, stderr } = await collect(child);
    assert.equal(exitCode, 0, stderr);
    return stdout.toString();
  }

  for (const agent of AGENTS) {
    it(`is removed from all files of a branch of ${agent}`, async () => {
      const { files, original } = await planted(agent);
      const { id } = files.session.meta;
      await files.dispose();
      const from = ['branch', '--session', id, '--snapshot', '1', '--no-launch', '--json'];
      await ah([...from, '--name', 'aside', '--message', `now with ${SECRET}`]);
      await ah([...from, '--name', 'here', '--message', `and ${SECRET}`, '--in-place']);
      const records = await new BranchRegistry(
        path.join(sandbox.current.folder, 'branches'),
      ).list();
      const made = records.flatMap((record) => record.made?.files ?? []);
      const transcripts = made.filter((file) => file.endsWith('.jsonl'));
      assert.equal(transcripts.length, 2);
      const restored = [
        path.join(workspace, '.ah/restore'),
        path.join(`${workspace}.branches`, 'aside/.ah/restore'),
      ];
      const ours = [sandbox.current.folder, ...restored, ...made];
      for (const each of [...restored, ...transcripts, sandbox.current.folder]) {
        assert.ok((await placesOf([each], SECRET)).length > 0, `it was planted in ${each}`);
      }
      const lines = transcripts.map((file) => readFileSync(file, 'utf8').split('\n').length);

      const said = await ah(['scrub', id], `${SECRET}\n`);
      assert.deepEqual(await placesOf([...ours, path.join(workspace, '.ah')], SECRET), []);
      // All files of the extension are still valid.
      for (const file of [...transcripts, ...restored.flatMap(filesIn)]) {
        const text = readFileSync(file, 'utf8').trim();
        if (!/\.jsonl?$/.test(file)) continue;
        for (const line of file.endsWith('.json') ? [text] : text.split('\n')) JSON.parse(line);
      }
      assert.deepEqual(
        transcripts.map((file) => readFileSync(file, 'utf8').split('\n').length),
        lines,
      );
      assert.match(await ah(['branches']), /aside[^]*here|here[^]*aside/);
      // The agent's own files are listed and unchanged.
      assert.match(said, /The text is still in:\n/);
      assert.ok(said.includes(`  ${original} (the agent's own file)\n`), said);
      assert.ok(readFileSync(original, 'utf8').includes('planted'));
      assert.match(said, /Files of the workspace and of branches were not changed\./);
    });
  }

  it('leaves the session intact if it is a word of the format or in a path', async () => {
    const { files } = await planted('claudeCode');
    const { session } = files;
    const { id } = session.meta;
    await files.dispose();
    const events = (await readEvents(session.folder)).length;
    const inPath = path.basename(place.path);
    for (const word of ['finished', 'tool.call', 'recording', 'high', inPath]) {
      const said = await ah(['scrub', id], `${word}\n`);
      assert.equal(said.includes('the name of folder'), word === inPath, said);
      const { meta } = await sandbox.current.catalogue.get(id);
      assert.equal(meta.state, 'finished');
      assert.ok(existsSync(meta.recording));
      assert.equal(meta.workspace, session.meta.workspace);
      assert.equal((await readEvents(session.folder)).length, events, word);
    }
    assert.match(await ah(['fs', 'list', '--session', id]), /step 1/);
  });
});
