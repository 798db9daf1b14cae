import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

export interface ExtensionTexts {
  /** Given to `vscode.l10n.t`, or to `t` in a page or a thread. */
  readonly localized: ReadonlySet<string>;
  /** Where `vscode.l10n.t` is given something that no tool can read from the source. */
  readonly unreadable: readonly string[];
  /** Sentences that a person may see, and that are in no call of `vscode.l10n.t`. */
  readonly plain: readonly string[];
}

/** Finds the texts in the source of the extension. */
export function extensionTexts(): ExtensionTexts {
  const localized = new Set<string>();
  const unreadable: string[] = [];
  const plain: string[] = [];
  for (const file of globSync('src/extension/**/*.ts', { cwd: root }).sort()) {
    const source = ts.createSourceFile(
      file,
      readFileSync(path.join(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const place = (node: ts.Node, text: string) =>
      `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${text}`;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText() === 'vscode.l10n.t') {
        const [text] = node.arguments;
        if (text && ts.isStringLiteralLike(text)) localized.add(text.text);
        else unreadable.push(place(node, text?.getText() ?? ''));
        // Only the first is the text; what is put into it may have texts of its own.
        node.arguments.slice(1).forEach(visit);
        return;
      }
      if (isForDevelopers(node)) return;
      const text = ts.isStringLiteralLike(node)
        ? node.text
        : ts.isTemplateExpression(node)
          ? node.head.text
          : '';
      if (/^[A-Z“][\w’”]* [^:]*[a-z]/.test(text)) plain.push(place(node, text));
      node.forEachChild(visit);
    };
    visit(source);
  }
  for (const file of globSync('src/{webview,timeline}/**/*.ts', { cwd: root })) {
    const source = readFileSync(path.join(root, file), 'utf8');
    for (const [, text] of source.matchAll(/\bt\(\s*'([^'\\]+)'/g)) localized.add(text!);
  }
  return { localized, unreadable, plain };
}

/** The log, what is thrown as a bug, names of events and of the product. */
function isForDevelopers(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return true;
  if (ts.isCallExpression(node)) {
    return /(\blog|#log)\.\w+$|createOutputChannel$/.test(node.expression.getText());
  }
  return ts.isNewExpression(node) && /^(Range|Type)?Error$/.test(node.expression.getText());
}
