import * as vscode from 'vscode';
import { withoutLinks } from './plainLabel.ts';

type Show = typeof vscode.window.showInformationMessage;

/** Shows a notification without links, because it may contain text from a recording. */
function plain(name: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage'): Show {
  const show = (text: string, ...rest: readonly string[]) =>
    vscode.window[name](withoutLinks(text), ...rest);
  return show as Show;
}

export const showInformation = plain('showInformationMessage');
export const showWarning = plain('showWarningMessage');
export const showError = plain('showErrorMessage');
