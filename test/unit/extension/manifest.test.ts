import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  COMMANDS,
  CONTEXT_KEYS,
  EDITORS,
  SETTINGS,
  TERMINAL_PROFILES,
  VIEWS,
} from '../../../src/extension/contributions.ts';

interface Setting {
  readonly description?: string;
  readonly markdownDescription?: string;
  readonly scope?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}

interface WalkthroughStep {
  readonly id: string;
  readonly media: { readonly image: Readonly<Record<string, string>> };
  readonly completionEvents: readonly string[];
}

interface Manifest {
  readonly engines: { readonly vscode: string };
  readonly enabledApiProposals?: unknown;
  readonly contributes: {
    readonly commands: { command: string; title: string }[];
    readonly keybindings: { command: string }[];
    readonly menus: Record<string, { command: string; when?: string; group?: string }[]>;
    readonly configuration: { readonly properties: Record<string, Setting> };
    readonly views: Readonly<Record<string, { id: string }[]>>;
    readonly terminal: { readonly profiles: { id: string }[] };
    readonly customEditors: { viewType: string }[];
    readonly walkthroughs: { steps: WalkthroughStep[] }[];
  };
}

const root = path.resolve(import.meta.dirname, '../../..');
const text = readFileSync(path.join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const strings = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Record<
  string,
  string
>;
const german = JSON.parse(
  readFileSync(path.join(root, 'package.nls.de.json'), 'utf8'),
) as typeof strings;
const { contributes } = manifest;
/** `Open`: a page or folder. `Show`: something in a page that is open or opens with it. */
const VERBS = new Set(
  (
    'Apply Archive Branch Cancel Clear Compare Copy Delete Discard Draft Export Filter Go Hide ' +
    'Mark Open Pause Pin Reconnect Record Refresh Rename Report Restore Resume Reveal Scrub ' +
    'Search Show Stop Take Unarchive Undo Unpin'
  ).split(' '),
);

/** The words of a title without those that tell nothing apart. */
function wordsOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[….,]/g, '')
    .split(' ')
    .filter(
      (word) => !['a', 'all', 'as', 'in', 'of', 'the', 'to', 'der', 'des', 'die'].includes(word),
    )
    .sort()
    .join(' ');
}
const idsOf = (items: { command: string }[]) => items.map(({ command }) => command);

/** The entries in the menus of a row of the sessions view. @param row its context value */
function entriesOf(row: string) {
  return contributes.menus['view/item/context']!.filter(({ when = '' }) => {
    const [, pattern] = /^viewItem =~ \/(.+)\/$/.exec(when) ?? [];
    assert.ok(pattern !== undefined, when);
    return new RegExp(pattern).test(row);
  });
}

describe('manifest', () => {
  it('has a text for each key, and uses each text', () => {
    const used = [...text.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]!);
    assert.deepEqual([...new Set(used)].sort(), Object.keys(strings).sort());
  });

  it('contributes exactly the IDs in the code', () => {
    assert.deepEqual(idsOf(contributes.commands), Object.values(COMMANDS));
    assert.deepEqual(
      Object.keys(contributes.configuration.properties).sort(),
      Object.values(SETTINGS)
        .map((setting) => `ah.${setting}`)
        .sort(),
    );
    const ids = (items: { id: string }[]) => items.map(({ id }) => id);
    assert.deepEqual(Object.values(contributes.views).flatMap(ids), Object.values(VIEWS));
    assert.deepEqual(ids(contributes.terminal.profiles), Object.values(TERMINAL_PROFILES));
    assert.deepEqual(
      contributes.customEditors.map(({ viewType }) => viewType),
      Object.values(EDITORS),
    );
  });

  it('has a palette condition for each command', () => {
    const palette = contributes.menus['commandPalette']!;
    assert.deepEqual(idsOf(palette), Object.values(COMMANDS));
    assert.ok(palette.every(({ when }) => when));
  });

  it('offers few commands before there is a session', () => {
    const offered = contributes.menus['commandPalette']!.filter(({ when }) => when === 'true');
    assert.deepEqual(idsOf(offered), [
      COMMANDS.recordAgent,
      COMMANDS.showLog,
      COMMANDS.reportProblem,
    ]);
  });

  it('ends a title with “…” if the command always asks for more than its session', () => {
    const asking = contributes.commands.filter(({ title }) =>
      strings[title.replaceAll('%', '')]!.endsWith('…'),
    );
    assert.deepEqual(idsOf(asking), [
      COMMANDS.recordAgent,
      COMMANDS.stopSession,
      COMMANDS.branchInTimeline,
      COMMANDS.branchFromDraft,
      COMMANDS.searchSessions,
      COMMANDS.renameSession,
      COMMANDS.exportSession,
      COMMANDS.filterSessions,
      COMMANDS.takeSnapshot,
      COMMANDS.openSnapshot,
      COMMANDS.openFileOfSnapshot,
      COMMANDS.compareSnapshot,
      COMMANDS.showChangesOfSnapshot,
      COMMANDS.compareSnapshots,
      COMMANDS.showChangesSince,
      COMMANDS.pinSnapshot,
      COMMANDS.restoreSnapshot,
      COMMANDS.undoRestore,
      COMMANDS.showWaiting,
      COMMANDS.scrubText,
      COMMANDS.branchHere,
      COMMANDS.showBranches,
      COMMANDS.takeBackBranch,
      COMMANDS.discardBranch,
    ]);
    for (const { title } of contributes.commands) {
      const key = title.replaceAll('%', '');
      assert.equal(german[key]!.includes('…'), strings[key]!.includes('…'), key);
    }
  });

  it('starts each title with a verb of the glossary of commands', () => {
    for (const { title } of contributes.commands) {
      const [verb = ''] = strings[title.replaceAll('%', '')]!.split(' ');
      assert.ok(VERBS.has(verb), `${verb}: ${title}`);
    }
  });

  it('has no two titles in the palette that read alike, in both languages', () => {
    const hidden = contributes.menus['commandPalette']!.filter(({ when }) => when === 'false');
    for (const texts of [strings, german]) {
      const titles = contributes.commands
        .filter(({ command }) => !idsOf(hidden).includes(command))
        .map(({ title }) => wordsOf(texts[title.replaceAll('%', '')]!));
      const repeated = titles.filter((title, at) => titles.indexOf(title) !== at);
      assert.deepEqual(repeated, []);
    }
  });

  it('writes “…” without a space in titles, as VS Code does', () => {
    for (const texts of [strings, german])
      for (const { title } of contributes.commands)
        assert.doesNotMatch(texts[title.replaceAll('%', '')]!, / …$/);
  });

  it('offers commands about branches, snapshots and pauses only where there are some', () => {
    const conditionOf = (id: string) =>
      contributes.menus['commandPalette']!.find(({ command }) => command === id)?.when;
    for (const id of [COMMANDS.openBranch, COMMANDS.takeBackBranch, COMMANDS.discardBranch])
      assert.equal(conditionOf(id), CONTEXT_KEYS.hasBranches);
    for (const id of [COMMANDS.branchHere, COMMANDS.restoreSnapshot, COMMANDS.undoRestore])
      assert.equal(conditionOf(id), CONTEXT_KEYS.hasSnapshots);
    assert.equal(conditionOf(COMMANDS.resumeRecording), CONTEXT_KEYS.hasPausedSessions);
  });

  it('has a picture for each step of the walkthrough, and ticks it when it was done', () => {
    const [{ steps } = { steps: [] }] = contributes.walkthroughs;
    assert.deepEqual(
      steps.map(({ id, completionEvents }) => [id, ...completionEvents]),
      [
        ['record', `onContext:${CONTEXT_KEYS.hasSessions}`],
        ['timeline', `onContext:${CONTEXT_KEYS.hasOpenedTimeline}`],
        ['snapshots', `onContext:${CONTEXT_KEYS.hasOpenedSnapshot}`],
        ['branch', `onContext:${CONTEXT_KEYS.hasBranches}`],
      ],
    );
    for (const { media } of steps)
      assert.deepEqual(Object.keys(media.image).sort(), ['dark', 'hc', 'hcLight', 'light']);
  });

  it('uses only contributed commands in menus and key bindings', () => {
    const known = new Set<string>([...Object.values(COMMANDS), `${VIEWS.sessions}.focus`]);
    const entries = [...Object.values(contributes.menus).flat(), ...contributes.keybindings];
    for (const id of idsOf(entries)) assert.ok(known.has(id), id);
    for (const link of text.matchAll(/command:(ah\.[\w.]+)/g)) assert.ok(known.has(link[1]!));
    for (const value of Object.values(strings)) {
      for (const link of value.matchAll(/command:(ah\.[\w.]+)/g)) assert.ok(known.has(link[1]!));
    }
  });

  it('uses only context keys that the code sets', () => {
    const known = Object.values(CONTEXT_KEYS) as string[];
    for (const key of text.matchAll(/\bah:\w+/g)) assert.ok(known.includes(key[0]), key[0]);
  });

  it('gives every setting a description and a scope', () => {
    for (const [id, setting] of Object.entries(contributes.configuration.properties)) {
      assert.ok(setting.description ?? setting.markdownDescription, id);
      assert.ok(setting.scope, id);
      if (setting.enum) assert.equal(setting.enumDescriptions?.length, setting.enum.length, id);
    }
  });

  it('names only existing files', () => {
    for (const file of text.matchAll(/"(media\/[\w./-]+)"/g)) {
      assert.ok(existsSync(path.join(root, file[1]!)), file[1]);
    }
  });

  it('ships each file that the manifest or the code uses', () => {
    const allowed = readFileSync(path.join(root, '.vscodeignore'), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    const named = [...text.matchAll(/"(?:\.\/)?((?:media|dist)\/[\w./-]+)"/g)].map(
      (match) => match[1]!,
    );
    assert.ok(named.includes('dist/extension.cjs') && named.includes('media/view.svg'));
    const assets = readdirSync(path.join(root, 'media'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
    const missing = [...named.filter((file) => file !== 'dist/cli.cjs'), ...assets].filter(
      (file) => !allowed.some((pattern) => path.matchesGlob(file, pattern)),
    );
    assert.deepEqual(missing, []);
  });

  it('offers the right commands for each kind of session', () => {
    const offered = (row: string) =>
      entriesOf(row).map(({ command }) => command.slice('ah.'.length));
    const any = [
      'openTimeline',
      'openTranscript',
      'openRecording',
      'revealSession',
      'showStatistics',
      'renameSession',
      'exportSession',
      'branchHere',
      'showBranches',
      'openSnapshot',
      'compareSnapshot',
      'compareSnapshots',
      'restoreSnapshot',
    ];
    const ofRunning = [...any, 'attachSession', 'stopSession', 'takeSnapshot', 'revealPrompt'];
    const ofEnded = [...any, 'deleteSession', 'scrubText'];
    const ofBranch = ['goToParentMoment', 'openBranch', 'takeBackBranch', 'discardBranch'];
    const plain = 'unpinned.unarchived.read';
    const toMark = ['pinSession', 'archiveSession', 'markSessionUnread'];
    const marked = ['unpinSession', 'unarchiveSession', 'markSessionRead'];
    const rows: Record<string, string[]> = {
      [`session.running.captured.${plain}`]: [...ofRunning, 'pauseCapture', 'pinSession'],
      [`session.running.uncaptured.${plain}`]: [...ofRunning, 'resumeCapture', 'pinSession'],
      [`session.finished.captured.${plain}`]: [...ofEnded, ...toMark],
      'session.finished.captured.pinned.archived.unread': [...ofEnded, ...marked],
      [`session.interrupted.captured.${plain}`]: [...ofEnded, ...toMark],
      [`session.running.captured.${plain}.branch`]: [
        ...ofRunning,
        'pauseCapture',
        'pinSession',
        ...ofBranch,
      ],
      [`session.finished.captured.${plain}.branch`]: [...ofEnded, ...toMark, ...ofBranch],
      [`session.running.captured.${plain}.recorded`]: [
        ...ofRunning,
        'pauseCapture',
        'pauseRecording',
        'pinSession',
      ],
      [`session.running.captured.${plain}.paused.branch`]: [
        ...ofRunning,
        'pauseCapture',
        'resumeRecording',
        'pinSession',
        ...ofBranch,
      ],
      group: [],
    };
    for (const [row, commands] of Object.entries(rows)) {
      assert.deepEqual([...new Set(offered(row))].sort(), commands.sort(), row);
    }
  });

  it('shows at most one icon in the row of a session, so that its name stays readable', () => {
    for (const row of ['session.running.captured', 'session.finished.', 'session.interrupted.']) {
      const shown = entriesOf(row).filter(({ group }) => group?.startsWith('inline'));
      assert.equal(shown.length, 1, `${row}: ${idsOf(shown).join()}`);
    }
  });

  it('requires the API version that it is compiled against', () => {
    const types = JSON.parse(
      readFileSync(path.join(root, 'node_modules/@types/vscode/package.json'), 'utf8'),
    ) as { version: string };
    const minor = (version: string) => version.replace('^', '').split('.').slice(0, 2).join('.');
    assert.equal(minor(types.version), minor(manifest.engines.vscode));
    assert.equal(manifest.enabledApiProposals, undefined);
  });
});
