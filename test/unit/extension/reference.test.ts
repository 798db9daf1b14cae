import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command: string; readonly when?: string }[]>
    >;
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
  };
}

const read = (file: string) =>
  readFileSync(path.join(import.meta.dirname, '../../..', file), 'utf8');

describe('docs/reference.md', () => {
  const { contributes } = JSON.parse(read('package.json')) as Manifest;
  const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
  const rows = read('docs/reference.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('has each command of the palette, and no other', () => {
    const hidden = contributes.menus['commandPalette']!.filter(({ when }) => when === 'false');
    const titles = contributes.commands
      .filter(({ command }) => !hidden.some((each) => each.command === command))
      .map(({ title }) => texts[title.replaceAll('%', '')]!);
    const start = rows.findIndex(([, name]) => name === 'command') + 2;
    const end = rows.findIndex(([, name]) => name === 'key');
    const listed = rows.slice(start, end).flatMap(([, names]) => names!.split(', '));
    assert.deepEqual(listed.sort(), titles.sort());
  });

  it('has each key, and no other', () => {
    const keys = contributes.keybindings.map(({ key }) => `\`${key}\``.toLowerCase());
    const listed = rows.map(([, key]) => key!.toLowerCase()).filter((key) => /^`ctrl/.test(key));
    assert.deepEqual(listed.sort(), keys.sort());
  });

  it('has each setting, and no other', () => {
    const settings = Object.keys(contributes.configuration.properties);
    const listed = rows.map(([, id]) => id!.replaceAll('`', '')).filter((id) => /^ah\./.test(id));
    assert.deepEqual(listed.sort(), settings.sort());
  });
});
