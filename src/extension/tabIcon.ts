import * as vscode from 'vscode';

/** The icon of a tab, so that the tabs of one session look different. */
export function tabIcon(
  extensionUri: vscode.Uri,
  name: 'timeline' | 'finalLines',
): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (theme: string) =>
    vscode.Uri.joinPath(extensionUri, 'media', 'tabs', `${name}-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}
