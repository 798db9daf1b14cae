import type { ITheme } from '@xterm/xterm';

export const ANSI = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;

/** The colors of the editor's own terminals in the current theme. */
export function terminalTheme(): ITheme {
  const style = getComputedStyle(document.documentElement);
  const color = (...names: readonly string[]): string | undefined => {
    for (const name of names) {
      const value = style.getPropertyValue(`--vscode-${name}`).trim();
      if (value !== '') return value;
    }
    return undefined;
  };
  const theme: Record<string, string> = {};
  const set = (name: keyof ITheme, value: string | undefined): void => {
    if (value !== undefined) theme[name] = value;
  };
  set('background', color('terminal-background', 'panel-background', 'editor-background'));
  set('foreground', color('terminal-foreground', 'editor-foreground'));
  set('cursor', color('terminalCursor-foreground', 'terminal-foreground'));
  set('cursorAccent', color('terminalCursor-background', 'terminal-background'));
  set('selectionBackground', color('terminal-findMatchBackground', 'editor-findMatchBackground'));
  set(
    'selectionInactiveBackground',
    color('terminal-findMatchBackground', 'editor-findMatchBackground'),
  );
  for (const name of ANSI) {
    const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    set(name, color(`terminal-ansi${capital}`));
  }
  return theme;
}
