import assert from 'node:assert/strict';
import * as vscode from 'vscode';

interface Binding {
  readonly key: string;
  readonly command: string;
}

interface Manifest {
  readonly contributes: { readonly keybindings: readonly Binding[] };
}

describe('the key bindings of the extension', () => {
  it('do not collide with others', async () => {
    const { packageJSON } = vscode.extensions.getExtension('ah-time-travel.ah-time-travel')!;
    const { keybindings } = (packageJSON as Manifest).contributes;
    const known = await defaultKeys();
    assert.ok(known.length > 300, `${known.length} keys of the editor are known`);
    for (const { key, command } of keybindings) {
      const [first] = key.split(' ');
      const sharing = known.filter(
        (other) => other.key === first || other.key === key || key.startsWith(`${other.key} `),
      );
      assert.deepEqual(
        sharing.map((other) => other.command),
        [command],
        key,
      );
    }
  });
});

/** The default key bindings, as VS Code lists them. */
async function defaultKeys(): Promise<Binding[]> {
  const uri = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  const bound = text.matchAll(/"key":\s*"([^"]+)",\s*"command":\s*"([^"]+)"/g);
  return [...bound].map(([, key, command]) => ({ key: key!, command: command! }));
}
