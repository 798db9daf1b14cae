import assert from 'node:assert/strict';
import { fakeAgent, playYaml } from '../../../support/agents/fakeAgentContext.ts';

async function printed(steps: string): Promise<string> {
  const agent = fakeAgent();
  await playYaml(agent, steps);
  return agent.output.bytes.toString();
}

describe('mock agent: output steps', () => {
  it('text: prints styles, with or without a line end', async () => {
    assert.equal(await printed('- text: "{{red}}no{{/}}"'), '\x1b[31mno\x1b[0m\n');
    assert.equal(await printed('- text: { text: a, newline: false }'), 'a');
  });

  it('text: writes single characters when typed', async () => {
    const agent = fakeAgent();
    await playYaml(agent, '- text: { text: "{{red}}ab", characterMs: 5, newline: false }');
    assert.deepEqual(agent.output.writes.map(String), ['\x1b[31m', 'a', 'b']);
    assert.equal(agent.context.pace.elapsedMs, 15);
  });

  it('message: streams words, wraps, and goes to the transcript', async () => {
    const agent = fakeAgent();
    agent.output.resize(24, 10);
    await playYaml(agent, '- message: "one {{bold}}two{{/}} three four five six"');
    assert.equal(agent.output.plain, '\n● one two three four\n  five six\n');
    assert.ok(agent.output.writes.length > 6);
    const { message } = agent.records[0] as { message: { content: { text: string }[] } };
    assert.equal(message.content[0]?.text, 'one two three four five six');
  });

  it("prompt: shows and records the user's prompt", async () => {
    const agent = fakeAgent();
    await playYaml(agent, '- prompt: fix it');
    assert.match(agent.output.plain, /❯ fix it\n/);
    assert.deepEqual(agent.records[0]?.message, { role: 'user', content: 'fix it' });
  });

  it('spinner: redraws one line with carriage returns', async () => {
    const text = await printed('- spinner: { text: Busy, durationMs: 1000, intervalMs: 100 }');
    assert.equal(text.split('\r').length - 1, 10 + 1);
    assert.match(text, /\(0s · ↓ \d+ tokens/);
    assert.ok(text.includes('\x1b[?25l') && text.endsWith('\x1b[?25h'), 'the cursor comes back');
  });

  it('spinner: never wraps, even in a narrow terminal', async () => {
    const agent = fakeAgent();
    agent.output.resize(20, 10);
    await playYaml(agent, '- spinner: { text: A label that is long, durationMs: 400 }');
    for (const line of agent.output.plain.replace(/\x1b\[[?0-9]*[A-Za-z]/g, '').split(/[\r\n]/)) {
      assert.ok(line.length < 20, line);
    }
  });

  it('progress: ends at 100 %', async () => {
    const text = await printed('- progress: { text: Files, total: 7, durationMs: 200, width: 10 }');
    assert.match(text, /0\/7[^]*█{10}[^]*7\/7[^]*100%/);
    assert.equal(text.split('\r').length - 1, 5);
  });

  it('region: moves up by the height of the previous frame', async () => {
    const text = await printed('- region: { frames: ["a\\nb", "c\\nd\\ne", "f"], intervalMs: 1 }');
    assert.deepEqual(text.match(/\x1b\[\dA/g), ['\x1b[2A', '\x1b[3A']);
  });

  it('statusLine: reserves the bottom row, follows a resize, and releases it', async () => {
    const agent = fakeAgent();
    await playYaml(agent, '- statusLine: ready');
    assert.ok(agent.output.bytes.includes('\x1b[1;23r\x1b[24;1H\x1b[2Kready'));
    agent.output.resize(80, 30);
    assert.ok(agent.output.bytes.includes('\x1b[1;29r\x1b[30;1H\x1b[2Kready'));
    await playYaml(agent, '- statusLine:');
    assert.ok(agent.output.bytes.toString().endsWith('\x1b[r\x1b[30;1H\x1b[2K\x1b8'));
    assert.equal(agent.context.modes.undoSequence(), '');
  });

  it('alternateScreen: is left after its steps', async () => {
    const text = await printed(
      '- alternateScreen: [{ drawAt: { row: 2, column: 3, text: "a\\nb" } }]',
    );
    assert.equal(text, '\x1b[?1049h\x1b[2J\x1b[H\x1b[2;3Ha\x1b[3;3Hb\x1b[0m\x1b[?1049l');
  });

  it('alternateScreen: is left when the agent is killed', async () => {
    const agent = fakeAgent();
    await assert.rejects(playYaml(agent, '- alternateScreen: [{ exit: 3 }]'), { exitCode: 3 });
    assert.equal(agent.context.modes.undoSequence(), '\x1b[?1049l');
  });

  it('clear, title and shell marks', async () => {
    assert.equal(await printed('- clear:'), '\x1b[2J\x1b[H');
    assert.equal(await printed('- clear: line'), '\r\x1b[2K');
    assert.equal(await printed('- title: hi'), '\x1b]0;hi\x07');
    assert.equal(await printed('- shellMark: promptStart'), '\x1b]133;A\x07');
    assert.equal(
      await printed('- shellMark: { mark: outputEnd, exitCode: 1 }'),
      '\x1b]133;D;1\x07',
    );
  });
});
