import assert from 'node:assert/strict';
import {
  conversationMarkdown,
  type ConversationOptions,
} from '../../../../../src/agents/common/conversation/conversationMarkdown.ts';
import type { AgentEvent } from '../../../../../src/agents/common/events/events.ts';
import { asked, call, message, prompt, resolved, result } from '../someEvents.ts';

async function markdown(events: AgentEvent[], options?: ConversationOptions): Promise<string> {
  let text = '';
  const timeText = (date: Date) => `${date.getTime()} ms`;
  for await (const part of conversationMarkdown(events, { timeText, ...options })) text += part;
  return text;
}

describe('conversationMarkdown', () => {
  it('shows prompts, answers, tools with result and diff, in order', async () => {
    const events = [
      prompt('fix it\nplease', { atMs: 1 }),
      call('c1', 'Edit', { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' }, { atMs: 2 }),
      message('Done.', { atMs: 4 }),
      result('c1', { tool: 'Edit', summary: '\x1b[32mupdated\x1b[0m', durationMs: 1500 }),
    ];
    const diffOf = () => Promise.resolve('--- a\n+++ b\n-x\n+y\n');
    assert.equal(
      await markdown(events, { diffOf }),
      [
        '\n## 1 · 1 ms\n\n> fix it\n> please\n',
        '\n**Edit** · 2 ms · 1.5 s\n\n`/w/a.ts`\n\n```\nupdated\n```\n',
        '\n```diff\n--- a\n+++ b\n-x\n+y\n```\n',
        '\nDone.\n',
      ].join(''),
    );
  });

  it('shows each pause of the recording at its place, also one without a known end', async () => {
    const ns = (ms: number) => BigInt(ms) * 1_000_000n;
    const pauses = [
      { fromNs: ns(2), toNs: ns(120_002) },
      { fromNs: ns(120_004), toNs: undefined },
    ];
    const events = [prompt('first', { atMs: 1 }), message('last', { atMs: 120_003 })];
    assert.equal(
      await markdown(events, { pauses }),
      [
        '\n## 1 · 1 ms\n\n> first\n',
        '\n*Not recorded, 2 min · 2 ms*\n',
        '\nlast\n',
        '\n*Not recorded from here on · 120004 ms*\n',
      ].join(''),
    );
  });

  it('shows the change of an edit without snapshots, as the agent asked for it', async () => {
    const input = { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' };
    const text = await markdown([call('c1', 'Edit', input)]);
    assert.match(text, /\n```diff\n--- \/w\/a\.ts\n-a\n\+b\n```\n/);
  });

  it('names the decision of an approval at its tool, or alone if the tool never ran', async () => {
    const input = { command: 'rm -rf build' };
    const ran = [call('c1', 'Bash', input), asked('c1', 'Bash', input), resolved('c1', 'allowed')];
    const text = await markdown(ran);
    assert.match(text, /\*\*Bash\*\* · 0 ms · approved by the user · no result/);
    assert.equal(text.split('rm -rf build').length, 2, 'once');
    const denied = await markdown([asked('c2', 'Bash', input), resolved('c2', 'denied')]);
    assert.match(denied, /\*\*Bash\*\* · 0 ms · denied by the user\n\n```\nrm -rf build\n```/);
    const refused = [...ran.slice(0, 2), result('c1', { outcome: 'denied' })];
    assert.match(await markdown(refused), /\*\*Bash\*\* · 0 ms · denied by the user\n/);
  });

  it('keeps each text inside its block, and redacts all of it', async () => {
    const events = [
      prompt('token s3cret'),
      call('c1', 'Bash', { command: 'echo s3cret' }),
      result('c1', { summary: 'a\n```\n# s3cret\n' }),
    ];
    const redact = (text: string) => text.replaceAll('s3cret', '[redacted]');
    const text = await markdown(events, { redact });
    assert.ok(!text.includes('s3cret'), text);
    assert.match(text, /\n````\na\n```\n# \[redacted\]\n````\n/);
  });

  it('cuts a long diff', async () => {
    const diffOf = () => Promise.resolve('+line\n'.repeat(1000));
    const text = await markdown([call('c1', 'Write', {})], { diffOf });
    assert.match(text, /\+line\n… 600 more lines\n```/);
  });
});
