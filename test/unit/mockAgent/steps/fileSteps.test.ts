import assert from 'node:assert/strict';
import { lstatSync, readFileSync, readlinkSync, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fakeAgent, playYaml, type FakeAgent } from '../../../support/agents/fakeAgentContext.ts';
import { useTemporaryFolder } from '../../../support/temporaryFolder.ts';

describe('mock agent: file steps', () => {
  const folder = useTemporaryFolder();
  const at = (file: string): string => path.join(folder.path, file);
  const contentOf = (file: string): string => readFileSync(at(file), 'utf8');
  async function played(steps: string, typed = ''): Promise<FakeAgent> {
    const agent = fakeAgent({ folder: folder.path, typed });
    await playYaml(agent, steps);
    return agent;
  }

  it('write: creates the file with its folders and shows it', async () => {
    const { output } = await played('- write: { path: a/b.txt, content: "x\\ny\\n", mode: 600 }');
    assert.equal(contentOf('a/b.txt'), 'x\ny\n');
    assert.equal(statSync(at('a/b.txt')).mode & 0o777, 0o600);
    assert.match(output.plain, /● Write\(a\/b\.txt\)\n {2}⎿ {2}Wrote 2 lines to a\/b\.txt\n/);
  });

  it('write: shows a diff when the file existed', async () => {
    const { output } = await played(
      '- write: { path: a, content: "x\\ny\\n", quiet: true }\n- write: { path: a, content: "x\\nz\\n" }',
    );
    assert.match(
      output.plain,
      /Updated a with 1 addition and 1 removal\n.*1 {3}x\n.*2 - y \n.*2 \+ z \n/,
    );
  });

  it('write: accepts bytes that are not text', async () => {
    await played('- write: { path: a, base64: AP8= }');
    assert.deepEqual([...readFileSync(at('a'))], [0, 255]);
  });

  it('edit: replaces one or all, without special dollar signs', async () => {
    await played(
      '- write: { path: a, content: "b b b", quiet: true }\n- edit: { path: a, find: b, replace: $& }',
    );
    assert.equal(contentOf('a'), '$& b b');
    await played('- edit: { path: a, find: b, replace: c, all: true }');
    assert.equal(contentOf('a'), '$& c c');
  });

  it('edit: fails when the text is missing', async () => {
    await assert.rejects(
      played('- write: { path: a, content: b }\n- edit: { path: a, find: z, replace: y }'),
      /^StepFailure: step 2 \(edit\): a does not contain the text to replace$/,
    );
  });

  it('append, rename, delete, mkdir', async () => {
    await played(`
- write: { path: a, content: "1\\n" }
- append: { path: a, content: "2\\n" }
- rename: { from: a, to: sub/b }
- mkdir: c/d
- delete: c`);
    assert.equal(contentOf('sub/b'), '1\n2\n');
    assert.ok(!existsSync(at('a')) && !existsSync(at('c')));
  });

  it('chmod and symlink', async () => {
    await played(`
- write: { path: a, content: x }
- chmod: { path: a, mode: 755 }
- symlink: { path: link, target: ../outside }`);
    assert.equal(statSync(at('a')).mode & 0o777, 0o755);
    assert.ok(lstatSync(at('link')).isSymbolicLink());
    assert.equal(readlinkSync(at('link')), '../outside');
  });

  it('announces the moment after the change, quiet or not', async () => {
    const { moments, output } = await played(`
- write: { path: a, content: x, quiet: true, moment: first }
- delete: { path: a, moment: second }`);
    assert.deepEqual(
      moments.map(({ label }) => label),
      ['first', 'second'],
    );
    assert.ok(!output.plain.includes('first') && output.plain.endsWith('  ◆ second\n'));
  });

  it('writes call and result to the transcript', async () => {
    const { records } = await played('- write: { path: a, content: x }');
    const [use, result] = records.map(
      (record) => (record.message as { content: Record<string, unknown>[] }).content[0],
    );
    assert.deepEqual(use?.input, { file_path: at('a'), content: 'x' });
    assert.equal(result?.tool_use_id, use?.id);
  });

  it('does nothing when the user says no', async () => {
    const { output, records } = await played('- write: { path: a, content: x, ask: Really? }', 'n');
    assert.ok(!existsSync(at('a')));
    assert.match(output.plain, /Really\? \(y\/n\) no\n {2}⎿ {2}Rejected/);
    assert.match(JSON.stringify(records.at(-1)), /Request interrupted by user for tool use/);
  });

  it('does not change braces in files and commands', async () => {
    const { output } = await played('- write: { path: a, content: "{{bold}}${answer}" }');
    assert.match(output.plain, /\{\{bold\}\}\$\{answer\}/);
  });
});
