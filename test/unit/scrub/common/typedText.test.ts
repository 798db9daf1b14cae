import assert from 'node:assert/strict';
import type { AhrRecord } from '../../../../src/recording/format/records.ts';
import { planScrub } from '../../../../src/scrub/common/scrubPlan.ts';

const SECRET = 'Sk-proj-0123456789abcdefghijklmnopqrstuv';

/** The output without what a scrub removes. */
async function scrubbed(output: string, text = SECRET): Promise<string> {
  const bytes = Buffer.from(output);
  const records: AhrRecord[] = [{ kind: 'data', tsNs: 0n, startByteOffset: 0, bytes }];
  async function* stream() {
    await Promise.resolve();
    yield* records;
  }
  const plan = await planScrub(stream(), text);
  return Buffer.from(bytes.map((byte, at) => (plan.output.has(at) ? 0x2a : byte))).toString();
}

const beginnings = Array.from(SECRET, (_, index) => SECRET.slice(0, index + 1));

describe('a text that is typed key by key', () => {
  it('is removed where a program redraws its input line at each key', async () => {
    for (const [before, after] of [
      ['\r\u001b[K> ', ''],
      ['\u001b[2K\u001b[G│ > \u001b[39m', '▌\u001b[7m \u001b[0m│\r\n busy 3\u001b[1A'],
      ['\u001b[24;1H\u001b[K$ say ', '\u001b[1;70Hnoon s'],
    ] as const) {
      const frames = beginnings.map((text) => `${before}${text}${after}`);
      const stars = beginnings.map((text) => `${before}${'*'.repeat(text.length)}${after}`);
      assert.equal(await scrubbed(frames.join('')), stars.join(''));
      const deleted = [...frames, ...frames.toReversed()].join('');
      assert.equal(await scrubbed(deleted), [...stars, ...stars.toReversed()].join(''));
    }
  });

  it('is removed where the line is wrapped within a frame', async () => {
    const frames = beginnings.map(
      (text) =>
        `\u001b[2J\u001b[H│ > ${text.slice(0, 20).padEnd(20)} │\r\n│   ${text.slice(20).padEnd(20)} │\r\n`,
    );
    const safe = await scrubbed(frames.join(''));
    assert.doesNotMatch(safe, /> [^* ]/);
    assert.doesNotMatch(safe, /│ {3}[^* ]/);
    assert.equal(safe.length, frames.join('').length);
  });

  it('is removed where a list cuts off its end', async () => {
    const cut = SECRET.slice(0, -1);
    assert.equal(await scrubbed(`saw ${cut}… today`), `saw ${'*'.repeat(39)}… today`);
  });

  it('leaves other words that begin like it', async () => {
    const other = '> Skip this\r\n> S\r\u001b[K> Sk\r\u001b[K> Skate to Sk-projects\r\n';
    const safe = await scrubbed(`${other}${'x'.repeat(50)} key: ${SECRET}\r\n${other}`);
    const stars = '*'.repeat(SECRET.length);
    assert.equal(safe, `${other}${'x'.repeat(50)} key: ${stars}\r\n${other}`);
    assert.equal(await scrubbed(other), other);
  });
});
