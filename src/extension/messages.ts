import * as vscode from 'vscode';
import { withoutLinks } from './plainLabel.ts';

type Show = typeof vscode.window.showInformationMessage;

/** What the editor says, with nothing in it that can be followed. */
function plain(name: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage'): Show {
  const show = (text: string, ...rest: readonly string[]) =>
    vscode.window[name](withoutLinks(text), ...rest);
  return show as Show;
}

export const showInformation = plain('showInformationMessage');
export const showWarning = plain('showWarningMessage');
export const showError = plain('showErrorMessage');
