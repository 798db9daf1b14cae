import { setSetting } from './editorSettings.ts';

/** Those that pictures are taken in. */
export const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
};

/** Before a window opens. */
export function setTheme(theme: string): void {
  setSetting('workbench.colorTheme', theme);
}
