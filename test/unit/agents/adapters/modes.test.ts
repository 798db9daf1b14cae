import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { adapterOf } from '../../../../src/agents/adapters/adapters.ts';
import type {
  LaunchMode,
  ModeRequest,
} from '../../../../src/agents/common/continuation/launchMode.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../fixtures/agents');
const END = 4_000_000_000_000_000_000n;

function linesOf(agent: string, name: string): string[] {
  const text = readFileSync(path.join(FIXTURES, agent, `${name}.transcript.jsonl`), 'utf8');
  return text.split('\n').slice(0, -1);
}

function modeAt(agent: string, change: Partial<ModeRequest>): LaunchMode {
  const moved = (text: string): string => text.replace('/old', '/new');
  const request = { lines: [], certainLines: 0, untilNs: END, args: [], moved, ...change };
  return adapterOf(agent)!.modeAt(request);
}

const line = (fields: object): string => JSON.stringify(fields);
const at = (second: number): string => new Date(second * 1000).toISOString();
const ns = (second: number): bigint => BigInt(second) * 1_000_000_000n;

describe('permissions and model of a moment', () => {
  describe('Claude Code', () => {
    const prompt = (second: number, permissionMode: string): string =>
      line({ type: 'user', timestamp: at(second), permissionMode });
    const changed = (permissionMode: string): string =>
      line({ type: 'permission-mode', permissionMode });
    const modeOf = (change: Partial<ModeRequest>): string[] => [
      ...modeAt('claudeCode', change).options,
    ];

    it('starts a session in manual mode in manual mode, not in that of the settings', () => {
      const { options, permissions, model, warnings } = modeAt('claudeCode', {
        lines: linesOf('claudeCode', 'ask'),
      });
      assert.deepEqual(options, ['--permission-mode', 'default', '--model', 'claude-opus-5-5']);
      assert.deepEqual([permissions, model, warnings], ['manual', 'claude-opus-5-5', []]);
    });

    it('replaces the options of the start when the user changed the mode', () => {
      for (const args of [['--dangerously-skip-permissions'], ['--permission-mode', 'auto']]) {
        const { options, dropped } = modeAt('claudeCode', {
          lines: [prompt(1, 'default')],
          args,
        });
        assert.deepEqual(options, ['--permission-mode', 'default']);
        assert.ok(dropped.has(args[0]!));
      }
      const same = modeAt('claudeCode', {
        lines: [prompt(1, 'default')],
        args: ['--permission-mode', 'manual'],
      });
      assert.deepEqual([same.options, [...same.dropped]], [[], []]);
    });

    it('follows the mode over time', () => {
      const lines = [prompt(1, 'default'), changed('auto'), prompt(3, 'auto'), prompt(5, 'plan')];
      assert.deepEqual(modeOf({ lines, untilNs: ns(3) }), ['--permission-mode', 'auto']);
      assert.deepEqual(modeOf({ lines, untilNs: ns(6) }), ['--permission-mode', 'plan']);
    });

    it('takes the stricter mode while a change has no known time', () => {
      const lines = [prompt(1, 'default'), changed('auto'), prompt(3, 'auto')];
      assert.deepEqual(modeOf({ lines, untilNs: ns(2) }), ['--permission-mode', 'default']);
      const known = { lines, certainLines: 2, untilNs: ns(2) };
      assert.deepEqual(modeOf(known), ['--permission-mode', 'auto']);
      const stricter = [prompt(1, 'auto'), changed('plan')];
      assert.deepEqual(modeOf({ lines: stricter, untilNs: ns(2) }), ['--permission-mode', 'plan']);
    });

    it('asks before it acts if the mode is not recorded, and says so', () => {
      const { options, permissions, warnings } = modeAt('claudeCode', {});
      assert.deepEqual([options, permissions], [['--permission-mode', 'default'], 'manual']);
      assert.match(warnings.join(), /not recorded: Claude Code starts in manual mode/);
      const started = modeAt('claudeCode', { args: ['--permission-mode', 'acceptEdits'] });
      assert.deepEqual([started.options, started.warnings], [[], []]);
    });

    it('returns to the model of the moment', () => {
      const answer = (second: number, model: string): string =>
        line({ type: 'assistant', timestamp: at(second), message: { model } });
      const lines = [prompt(1, 'plan'), answer(1, 'opus'), answer(2, 'sonnet')];
      const args = ['--permission-mode', 'plan', '--model', 'opus'];
      assert.deepEqual(modeOf({ lines, args }), ['--model', 'sonnet']);
      assert.deepEqual(modeOf({ lines, args, untilNs: ns(1) }), []);
    });
  });

  describe('Codex', () => {
    it('asks for approval as it did at the moment', () => {
      const mode = modeAt('codex', { lines: linesOf('codex', 'ask'), args: ['--approve-for-me'] });
      assert.deepEqual(
        mode.options,
        [
          ['-c', 'approval_policy="on-request"'],
          ['-c', 'sandbox_mode="read-only"'],
          ['-c', 'approvals_reviewer="user"'],
          ['-m', 'gpt-6.1-sol'],
        ].flat(),
      );
      assert.ok(mode.dropped.has('--approve-for-me'));
      assert.deepEqual([mode.permissions, mode.warnings], ['asks you, read-only', []]);
    });

    it('keeps the option that allows all only where all was allowed', () => {
      const args = ['--dangerously-bypass-approvals-and-sandbox'];
      const all = modeAt('codex', { lines: linesOf('codex', 'three-tools'), args });
      assert.deepEqual(all.options, ['-m', 'gpt-6.1-sol']);
      assert.ok(!all.dropped.has(args[0]!));
      const some = modeAt('codex', { lines: linesOf('codex', 'ask'), args });
      assert.ok(some.dropped.has(args[0]!));
    });

    it('follows settings that changed after the turn, and moves folders', () => {
      const policy = { type: 'workspace-write', writable_roots: ['/old/more'] };
      const context = { approval_policy: 'never', sandbox_policy: policy };
      const files = { entries: [{ access: 'read' }] };
      const profile = { type: 'managed', file_system: files };
      const settings = { approval_policy: 'on-request', permission_profile: profile };
      const payload = { type: 'thread_settings_applied', thread_settings: settings };
      const lines = [
        line({ type: 'turn_context', timestamp: at(1), payload: context }),
        line({ type: 'event_msg', timestamp: at(3), payload }),
      ];
      const before = modeAt('codex', { lines, untilNs: ns(2) });
      assert.equal(before.permissions, 'never asks, workspace-write');
      const roots = 'sandbox_workspace_write.writable_roots=["/new/more"]';
      assert.ok(before.options.includes(roots));
      assert.equal(modeAt('codex', { lines }).permissions, 'asks you, read-only');
    });

    it('names permissions that it can’t be started with, and those that it starts with', () => {
      const modeOf = (approval: unknown): LaunchMode => {
        const context = {
          approval_policy: approval,
          sandbox_policy: { type: 'workspace-write' },
        };
        const lines = [line({ type: 'turn_context', timestamp: at(1), payload: context })];
        return modeAt('codex', { lines });
      };
      const mode = modeOf('untrusted');
      assert.deepEqual(
        [mode.permissionsBefore, mode.permissions],
        ['untrusted, workspace-write', 'asks you, read-only'],
      );
      assert.match(mode.warnings.join(), /it starts with “asks you, read-only”/);
      assert.equal(modeOf({ rules: true }).permissionsBefore, 'custom, workspace-write');
      const same = modeAt('codex', { lines: linesOf('codex', 'ask') });
      assert.deepEqual([same.permissionsBefore, same.warnings], [undefined, []]);
    });

    it('warns if nothing is recorded', () => {
      assert.match(modeAt('codex', {}).warnings.join(), /not recorded: Codex starts with/);
      const { permissions, warnings } = modeAt('codex', { args: ['-s', 'read-only'] });
      assert.deepEqual([permissions, warnings], ['-s read-only', []]);
    });
  });

  it('Gemini CLI records no mode: warns', () => {
    const mode = modeAt('gemini', { lines: linesOf('gemini', 'ask'), args: ['-y'] });
    assert.deepEqual([mode.permissions, mode.model], ['yolo', 'gemini-3.8-flash']);
    assert.match(mode.warnings.join(), /doesn't record .* in the mode yolo again/);
  });

  it('opencode starts with the agent of the moment, such as plan', () => {
    const lines = linesOf('opencode', 'branching');
    const mode = modeAt('opencode', { lines, args: ['--agent', 'other', '--auto'] });
    assert.deepEqual(mode.options, ['--agent', 'build']);
    assert.deepEqual(
      [mode.permissions, mode.model],
      ['agent build, approves everything automatically', 'mock/mock-model'],
    );
    const row = (second: number, agent: string): string => {
      const data = { role: 'user', time: { created: second * 1000 }, agent };
      return line({ table: 'message', id: String(second), data });
    };
    const switched = { lines: [row(1, 'plan'), row(2, 'build')], untilNs: ns(1) };
    assert.deepEqual(modeAt('opencode', switched).options, ['--agent', 'plan']);
  });

  it('Copilot CLI takes back permissions that were taken back', () => {
    const event = (second: number, type: string, data: object): string =>
      line({ type, timestamp: at(second), data });
    const lines = [
      event(1, 'session.permissions_changed', { mode: 'allow-all' }),
      event(2, 'session.mode_changed', { newMode: 'plan' }),
      event(3, 'session.permissions_changed', { mode: 'manual' }),
    ];
    const args = ['--allow-all-tools'];
    const all = modeAt('copilot', { lines, args, untilNs: ns(2) });
    assert.deepEqual(all.options, ['--allow-all', '--mode', 'plan']);
    const asking = modeAt('copilot', { lines, args });
    assert.deepEqual([asking.options, asking.permissions], [['--mode', 'plan'], 'manual, plan']);
    assert.ok(asking.dropped.has('--allow-all-tools'));
    const fixture = modeAt('copilot', { lines: linesOf('copilot', 'ask') });
    assert.deepEqual(
      [fixture.options, fixture.permissions, fixture.model],
      [[], 'manual, interactive', 'claude-sonnet-4.5'],
    );
  });

  it('Copilot CLI asks for each approval where it had assisted permissions, and says so', () => {
    const data = { mode: 'assisted' };
    const lines = [line({ type: 'session.permissions_changed', timestamp: at(1), data })];
    const mode = modeAt('copilot', { lines });
    assert.deepEqual(
      [mode.options, mode.permissionsBefore, mode.permissions],
      [[], 'assisted, interactive', 'manual, interactive'],
    );
    assert.match(mode.warnings.join(), /it asks for each approval instead/);
  });

  it('reads any lines', () => {
    const lines = ['', '{', '[]', 'null', '{"type":1,"data":2,"payload":[],"message":"x"}'];
    for (const agent of ['claudeCode', 'codex', 'gemini', 'opencode', 'copilot'])
      assert.ok(modeAt(agent, { lines }));
  });
});
