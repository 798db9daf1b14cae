import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { LAYERS, layerOf } from '../../../../scripts/lint/layers.mjs';
import { layersRule } from '../../../../scripts/lint/layersRule.mjs';

const root = path.resolve(import.meta.dirname, '../../../..');

/** For each layer: imports that it may not have, as a file directly in its folder would write them. */
const FORBIDDEN: Record<string, readonly string[]> = {
  'src/base': ['../rpc/channel.ts', 'node:fs', 'vscode'],
  'src/rpc': ['../recording/format/records.ts', 'node:net'],
  'src/recording/format': ['../../terminal/screen/cells.ts', 'node:zlib'],
  'src/recording/read': ['../node/recordingThread.ts', 'node:fs'],
  'src/recording/write': ['../../platform/node/files/fileSink.ts', 'node:fs'],
  'src/redaction': ['../agents/common/events.ts', 'node:crypto'],
  'src/terminal': ['../timeline/common/player.ts', '@xterm/xterm'],
  'src/snapshots/common': ['../git/gitProvider.ts', '../node/exportTree.ts', 'node:path'],
  'src/snapshots/volume': ['../btrfs/store.ts', 'node:path'],
  'src/snapshots/git': ['../btrfs/store.ts', '../node/exportTree.ts', 'node:child_process'],
  'src/snapshots/btrfs': ['../zfs/zfsTool.ts', 'node:child_process'],
  'src/snapshots/zfs': ['../btrfs/store.ts', 'node:child_process'],
  'src/agents/common': ['../node/capture/hookPipes.ts', '../trim/codexTrim.ts', 'node:fs'],
  'src/agents/adapters': ['../node/capture/hookPipes.ts', 'node:fs'],
  'src/agents/trim': ['../../branching/common/branchRecord.ts', 'node:fs'],
  'src/sessions/common': ['../node/catalogue.ts', 'node:net'],
  'src/branching/common': ['../node/plan/planBranch.ts', 'node:fs'],
  'src/timeline/common': ['../node/timelineServer.ts', '../../webview/vscodeApi.ts', 'node:fs'],
  'src/scrub/common': ['../node/scrubSession.ts', 'node:fs'],
  'src/platform/shared': ['../node/paths.ts', 'node:os'],
  'src/platform/node': ['../../sessions/node/catalogue.ts', '../../host/session.ts', 'vscode'],
  'src/sessions/node': ['../../branching/node/branchRegistry.ts', '../../cli/main.ts', 'vscode'],
  'src/snapshots/node': ['../../branching/node/branchRegistry.ts', 'commander'],
  'src/snapshots/node/watch': ['../../../host/session.ts', 'commander'],
  'src/agents/node': ['../../branching/node/branchRegistry.ts', 'vscode'],
  'src/branching/node': ['../../cli/main.ts', '../../scrub/node/scrubSession.ts', 'vscode'],
  'src/timeline/node': ['../../webview/vscodeApi.ts', 'vscode'],
  'src/search/node': ['../../extension/extension.ts', 'vscode'],
  'src/scrub/node': ['../../cli/main.ts', 'commander'],
  'src/recording/node': ['../../extension/extension.ts', 'node-pty'],
  'src/host': ['../cli/main.ts', '../extension/extension.ts', 'vscode', 'node-pty/lib/utils.js'],
  'src/host/pty': ['../../cli/main.ts', 'commander'],
  'src/cli': ['../host/session.ts', '../extension/extension.ts', 'vscode', 'node-pty'],
  'src/extension': ['../host/session.ts', '../cli/main.ts', '../webview/vscodeApi.ts', 'commander'],
  'src/extension/web': [
    '../../platform/node/paths.ts',
    '../../sessions/node/catalogue.ts',
    'node:fs',
  ],
  'src/webview': ['../terminal/screen/cells.ts', '../extension/extension.ts', 'node:fs', 'vscode'],
};

function problemsOf(file: string, code: string): string[] {
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser as Linter.Parser },
    plugins: { ah: { rules: { layers: layersRule } } },
    rules: { 'ah/layers': 'error' as const },
  };
  const filename = path.join(root, file);
  return new Linter({ cwd: root }).verify(code, config, { filename }).map(({ message }) => message);
}

describe('the layers of the source', () => {
  it('are all tested here, and contain every file', () => {
    assert.deepEqual(Object.keys(FORBIDDEN).sort(), LAYERS.map(({ folder }) => folder).sort());
    for (const file of globSync('src/**/*.ts', { cwd: root })) assert.ok(layerOf(file), file);
  });

  for (const [folder, specifiers] of Object.entries(FORBIDDEN)) {
    it(`refuse ${folder} what it may not import`, () => {
      for (const specifier of specifiers) {
        const [message, ...others] = problemsOf(`${folder}/new.ts`, `import '${specifier}';`);
        assert.deepEqual(others, []);
        assert.ok(message?.startsWith(`${folder} may not import `), `${specifier}: ${message}`);
      }
    });
  }

  it('refuse every kind of import', () => {
    const from = "'../host/session.ts'";
    for (const code of [
      `import type { A } from ${from};`,
      `import { type A } from ${from};`,
      `export * from ${from};`,
      `export type { A } from ${from};`,
      `void import(${from});`,
      `type A = import(${from}).A;`,
    ]) {
      assert.deepEqual(problemsOf('src/cli/new.ts', code).length, 1, code);
    }
  });

  it('go by the file that an import names, not by how its path is written', () => {
    const code = "import '../../agents/node/../../host/session.ts';";
    assert.equal(problemsOf('src/agents/node/new.ts', code).length, 1);
    assert.deepEqual(problemsOf('src/agents/node/new.ts', "import '../common/events.ts';"), []);
  });

  it('refuse a file that is in none of them', () => {
    assert.match(problemsOf('src/new.ts', "import 'node:fs';")[0] ?? '', /is in no layer/);
  });
});
