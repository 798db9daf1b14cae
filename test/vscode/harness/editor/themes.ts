import { setSetting } from './editorSettings.ts';

/** The themes of screenshots. */
export const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
};

/** Call before a window opens. */
export function setTheme(theme: string): void {
  setSetting('workbench.colorTheme', theme);
}
