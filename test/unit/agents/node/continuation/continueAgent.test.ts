import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { ContinuationPlan } from '../../../../../src/agents/common/continuation/continuation.ts';
import { parseFields, textOf } from '../../../../../src/agents/common/untrusted.ts';
import {
  continueAgent,
  planContinuation,
  type ContinueRequest,
} from '../../../../support/agents/continueAgent.ts';
import { treeOf } from '../../../../agents/originals.ts';
import { placesOf } from '../../../../support/recording/secretPlaces.ts';
import { useTemporaryFolder } from '../../../../support/temporaryFolder.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../../fixtures/agents');
/** Without opencode, whose own program imports sessions: the agents' tests cover it. */
const AGENTS = ['claudeCode', 'codex', 'gemini', 'copilot'];

describe('continuing an agent', () => {
  const folder = useTemporaryFolder();

  /** A session of a moved project, whose agent deleted its own files. */
  function recorded(agent: string, change: Partial<ContinueRequest> = {}): ContinueRequest {
    const at = (name: string): string => path.join(folder.path, name);
    const kept = at('session/agent/transcripts');
    mkdirSync(kept, { recursive: true });
    for (const name of ['home', 'new place']) mkdirSync(at(name), { recursive: true });
    const fixture = (kind: string): string => path.join(FIXTURES, agent, `branching.${kind}.jsonl`);
    cpSync(fixture('transcript'), path.join(kept, '1.jsonl'));
    cpSync(fixture('events'), at('session/session.events.jsonl'));
    writeFileSync(path.join(kept, 'index.jsonl'), '{"file":"1.jsonl","source":"/gone/x.jsonl"}\n');
    const second = parseFields(readFileSync(fixture('moments'), 'utf8').split('\n')[1]!)!;
    const cwd = textOf(second['cwd'])!;
    return {
      agent,
      sessionFolder: at('session'),
      meta: { cmd: [process.execPath], cwd },
      moment: { byte: 0, timeNs: second['ts_ns'] as bigint },
      workspace: { from: cwd, to: at('new place') },
      message: 'Go on.',
      env: { PATH: '' },
      home: at('home'),
      signal: new AbortController().signal,
      ...change,
    };
  }

  for (const agent of AGENTS) {
    it(`${agent}: from the copied transcript alone; undo removes everything`, async () => {
      const request = recorded(agent);
      const before = treeOf(folder.path);
      const plan = await planContinuation(request);
      assert.deepEqual(treeOf(folder.path), before, 'a plan writes nothing');
      assert.equal(plan.method, 'resume');
      assert.equal(plan.details.toolCalls, 2);
      const continuation = await continueAgent(request);
      assert.equal(continuation.cmd.at(-1)?.replace(/^--[a-z-]+=/, ''), 'Go on.');
      assert.ok(continuation.cmd.some((word) => word.includes(continuation.details.toSession!)));
      assert.ok(continuation.files.length > 0);
      const after = treeOf(folder.path);
      for (const [name, hash] of Object.entries(before)) assert.equal(after[name], hash, name);
      const restore = path.join(
        request.workspace.to,
        '.ah/restore',
        continuation.details.toSession!,
      );
      const original = readFileSync(path.join(request.sessionFolder, 'agent/transcripts/1.jsonl'));
      assert.deepEqual(readFileSync(path.join(restore, 'x.jsonl')), original);
      await continuation.undo();
      await continuation.undo();
      assert.deepEqual(treeOf(folder.path), before);
      assert.deepEqual(readdirSync(request.home), []);
    });
  }

  it('puts no record from a pause, which is only in the agent’s own file, into the branch', async () => {
    const request = recorded('claudeCode');
    const kept = path.join(request.sessionFolder, 'agent/transcripts');
    const copy = readFileSync(path.join(kept, '1.jsonl'), 'utf8');
    const source = path.join(folder.path, 'own.jsonl');
    const timestamp = '2100-01-01T00:00:00.000Z';
    const message = { role: 'user', content: 'a secret of the pause' };
    const paused = { type: 'user', uuid: 'p', timestamp, message };
    writeFileSync(source, `${copy}${JSON.stringify(paused)}\n`);
    const entry = { file: '1.jsonl', source };
    writeFileSync(path.join(kept, 'index.jsonl'), `${JSON.stringify(entry)}\n`);
    await continueAgent(request);
    assert.deepEqual(await placesOf([request.workspace.to, request.home], message.content), []);
  });

  it('warns that the user has to type the message', async () => {
    const env = { PATH: '', OPENCODE_CONFIG: '/home/me/opencode.json' };
    const plan = await planContinuation(recorded('opencode', { env }));
    assert.equal(plan.method, 'resume');
    assert.deepEqual(plan.warnings, [
      'opencode opens the session without the message: type it there.',
    ]);
    assert.deepEqual((await planContinuation(recorded('opencode'))).warnings, []);
    const run = { cmd: [process.execPath, 'run', 'x'], cwd: recorded('opencode').meta.cwd };
    const headless = await planContinuation(recorded('opencode', { env, meta: run }));
    assert.deepEqual(headless.warnings, []);
  });

  it('warns that the agent will ask for trust, unless it trusts the repository of the worktree', async () => {
    // How each agent stores that a folder is trusted.
    const settings: Readonly<Record<string, (trusted: string) => [string, string]>> = {
      claudeCode: (trusted) => [
        '.claude.json',
        JSON.stringify({ projects: { [trusted]: { hasTrustDialogAccepted: true } } }),
      ],
      copilot: (trusted) => [
        '.copilot/config.json',
        `// This file is managed automatically.\n${JSON.stringify({ trustedFolders: [trusted] })}\n`,
      ],
    };
    for (const [agent, settingsOf] of Object.entries(settings)) {
      const request = recorded(agent);
      const { from, to } = request.workspace;
      const asksFor = async (trusted: string, isWorktree: boolean): Promise<boolean> => {
        const [name, content] = settingsOf(trusted);
        const file = path.join(request.home, name);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, content);
        const workspace = { from, to, isWorktree };
        const { warnings } = await planContinuation({ ...request, workspace });
        return warnings.some((warning) => warning.includes('whether you trust the new folder'));
      };
      assert.equal(await asksFor('/elsewhere', true), true, agent);
      assert.equal(await asksFor(from, true), false, agent);
      assert.equal(await asksFor(from, false), true, agent);
      assert.equal(await asksFor(to, false), false, agent);
    }
  });

  it('gives a fork the memory of its parent, also when the parent is gone', async () => {
    const request = recorded('codex');
    const kept = path.join(request.sessionFolder, 'agent/transcripts');
    const lines = readFileSync(path.join(kept, '1.jsonl'), 'utf8').split('\n').slice(0, -1);
    const whole = (await planContinuation(request)).details;
    const head = JSON.parse(lines[0]!) as { payload: { id: string } };
    const parent = head.payload.id;
    const cut = Math.floor(lines.length / 3);
    const base = { thread_id: parent, end_ordinal_exclusive: cut, end_byte_offset: 0 };
    const id = '01a1e3e8-0000-7000-8000-000000000001';
    const fork = { ...head, payload: { ...head.payload, id, session_id: id, history_base: base } };
    const text = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
    writeFileSync(path.join(kept, '1.jsonl'), text([JSON.stringify(fork), ...lines.slice(cut)]));
    const { method, warnings } = await planContinuation(request);
    assert.equal(method, 'replay');
    assert.match(warnings.join(' '), /forked from a session that is gone/);

    // Adds the parent's part as the recorder copies it.
    writeFileSync(path.join(kept, '2.jsonl'), text(lines.slice(0, cut)));
    const source = `/gone/rollout-2026-11-16T04-22-44-${parent}.jsonl`;
    const entry = JSON.stringify({ file: '2.jsonl', source, isBase: true });
    appendFileSync(path.join(kept, 'index.jsonl'), `${entry}\n`);
    const plan = await planContinuation(request);
    assert.equal(plan.method, 'resume');
    assert.deepEqual(
      [plan.details.prompts, plan.details.toolCalls, plan.details.fromSession],
      [whole.prompts, whole.toolCalls, id],
    );
  });

  it('includes records of the millisecond of the moment, for any clock skew', async () => {
    const request = recorded('claudeCode');
    const kept = path.join(request.sessionFolder, 'agent/transcripts');
    const lines = readFileSync(path.join(kept, '1.jsonl'), 'utf8').split('\n');
    const prompt = parseFields(lines.find((line) => line.includes('"type":"user"'))!)!;
    const timeNs = BigInt(Date.parse(textOf(prompt['timestamp'])!)) * 1_000_000n;
    appendFileSync(
      path.join(kept, 'index.jsonl'),
      `{"byte":0,"ts_ns":${timeNs - 1n},"skew_ns":-900000,"lines":{}}\n`,
    );
    const plan = await planContinuation({ ...request, moment: { byte: 0, timeNs } });
    assert.deepEqual([plan.details.prompts, plan.details.toolCalls], [1, 0]);
  });

  it('allows the agent no more than at the moment, and the plan says what', async () => {
    const request = recorded('claudeCode');
    const cmd = [process.execPath, '--dangerously-skip-permissions', '--verbose'];
    const bypassing = { ...request, meta: { ...request.meta, cmd } };
    const plan = await planContinuation(bypassing);
    assert.equal(plan.details.permissions, 'acceptEdits');
    assert.equal(plan.details.model, 'claude-opus-5-5');
    const continuation = await continueAgent(bypassing);
    assert.deepEqual(continuation.cmd.slice(0, 5), [
      '--verbose',
      '--permission-mode',
      'acceptEdits',
      '--model',
      'claude-opus-5-5',
    ]);
  });

  it('creates a new session each time', async () => {
    const [one, two] = [
      await continueAgent(recorded('codex')),
      await continueAgent(recorded('codex')),
    ];
    assert.notEqual(one.details.toSession, two.details.toSession);
    for (const file of [...one.files, ...two.files]) assert.ok(existsSync(file));
  });

  it('leaves nothing when cancelled', async () => {
    const aborted = AbortSignal.abort();
    const request = recorded('gemini', { signal: aborted });
    const before = treeOf(folder.path);
    await assert.rejects(continueAgent(request), { name: 'AbortError' });
    assert.deepEqual(treeOf(folder.path), before);
  });

  it('leaves nothing when a file is in the way, and names it', async () => {
    const request = recorded('claudeCode');
    writeFileSync(path.join(request.home, '.claude'), 'a file where a folder should be');
    const before = treeOf(folder.path);
    await assert.rejects(continueAgent(request), /ENOTDIR|EEXIST/);
    assert.deepEqual(treeOf(folder.path), before);
  });

  it('refuses a link in place of its own folder', async () => {
    for (const link of ['.ah', '.ah/restore']) {
      const request = recorded('codex');
      const place = path.join(request.workspace.to, link);
      mkdirSync(path.dirname(place), { recursive: true });
      symlinkSync(path.join(folder.path, 'elsewhere'), place);
      for (const isThere of [false, true]) {
        if (isThere) mkdirSync(path.join(folder.path, 'elsewhere'), { recursive: true });
        const before = treeOf(folder.path);
        await assert.rejects(continueAgent(request), { code: 'own-folder-is-link' });
        assert.deepEqual(treeOf(folder.path), before);
      }
      rmSync(path.join(request.workspace.to, '.ah'), { recursive: true });
    }
  });

  it('starts anew before the first prompt, without a warning', async () => {
    const request = recorded('copilot', { moment: { byte: 0, timeNs: 1n } });
    const { method, details, cmd, files, warnings } = await continueAgent(request);
    assert.deepEqual(
      { method, prompts: details.prompts, files, said: /afresh/.test(warnings.join()) },
      { method: 'replay', prompts: 0, files: [], said: false },
    );
    assert.deepEqual(cmd, ['--interactive=Go on.']);
  });

  it('replays the conversation without a transcript, with a warning', async () => {
    const request = recorded('codex');
    rmSync(path.join(request.sessionFolder, 'agent'), { recursive: true });
    const { method, warnings, cmd, details } = await continueAgent(request);
    assert.equal(method, 'replay');
    assert.match(
      warnings.join(' '),
      /Codex can't resume the session: .* starts a new conversation/,
    );
    assert.match(
      cmd.at(-1)!,
      /Its prompts, answers and tool calls:[\s\S]*notes\.txt[\s\S]*Go on\.$/,
    );
    assert.equal(details.toSession, undefined);
  });

  it('starts anew without any events, with a warning', async () => {
    for (const isBranch of [false, true]) {
      const request = recorded('codex');
      rmSync(path.join(request.sessionFolder, 'agent'), { recursive: true });
      // A session with branches, recorded without capture of the agent, has only such events.
      const file = path.join(request.sessionFolder, 'session.events.jsonl');
      rmSync(file);
      const own = { kind: 'timeline.sessionBranch.created', id: 'b', confidence: 'high' };
      const more = { timeNs: 1, agent: 'none', source: 'host', byte: 0, details: {} };
      const ids = { fromSession: 'a', toSession: 'b', method: 'resume' };
      if (isBranch) writeFileSync(file, `${JSON.stringify({ ...own, ...more, ...ids })}\n`);
      const { method, warnings, cmd } = await continueAgent(request);
      assert.equal(method, 'replay');
      assert.match(
        warnings.join(' '),
        /conversation of this session was not captured: Codex starts without/,
      );
      assert.deepEqual(cmd, ['--', 'Go on.']);
    }
  });

  it('starts an unknown program again, and warns that the user has to type the message', async () => {
    const request = recorded('codex');
    const cmd = [process.execPath, '--version'];
    const unknown = { ...request, agent: undefined, meta: { ...request.meta, cmd } };
    const continuation = await continueAgent(unknown);
    assert.deepEqual(continuation.cmd, ['--version']);
    assert.equal(continuation.unsentMessage, 'Go on.');
    assert.match(continuation.warnings[0]!, /you have to type the message/);
  });

  it('refuses an agent that is no longer installed', async () => {
    const request = recorded('gemini');
    const gone = { ...request, meta: { ...request.meta, cmd: ['/gone/gemini'] } };
    await assert.rejects(planContinuation(gone), {
      code: 'agent-missing',
      message: /Gemini CLI is no longer installed/,
    });
  });

  it('warns about a tool call that was still running', async () => {
    const request = recorded('codex');
    // Chooses the moment at which the second tool call starts.
    const calls = readFileSync(path.join(request.sessionFolder, 'session.events.jsonl'), 'utf8');
    const second = calls.split('\n').filter((line) => line.includes('"tool.call"'))[1]!;
    const timeNs = (parseFields(second)!['ts_ns'] ?? parseFields(second)!['timeNs']) as bigint;
    const plan: ContinuationPlan = await planContinuation({
      ...request,
      moment: { byte: 0, timeNs: timeNs + 1_000_000n },
    });
    assert.equal(plan.details.toolCalls, 1);
    assert.match(plan.warnings.join(' '), /won't remember this call, which was still running/);
  });
});
