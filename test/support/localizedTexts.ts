import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

export interface ExtensionTexts {
  /** Passed to `vscode.l10n.t`, or to `l10n.t` in pages and threads. */
  readonly localized: ReadonlySet<string>;
  /** Calls whose text is not a literal, so that extraction misses it. */
  readonly unreadable: readonly string[];
  /** Sentences of the extension that users may see untranslated. */
  readonly plain: readonly string[];
}

/** Finds the UI texts in the source. */
export function extensionTexts(): ExtensionTexts {
  const localized = new Set<string>();
  const unreadable: string[] = [];
  const plain: string[] = [];
  for (const file of globSync('src/{agents,extension,webview,timeline}/**/*.ts', {
    cwd: root,
  }).sort()) {
    const isExtension = file.startsWith(path.normalize('src/extension/'));
    const source = ts.createSourceFile(
      file,
      readFileSync(path.join(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const place = (node: ts.Node, text: string) =>
      `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${text}`;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && /^(vscode\.)?l10n\.t$/.test(node.expression.getText())) {
        const [text] = node.arguments;
        if (text && ts.isStringLiteralLike(text)) localized.add(text.text);
        else unreadable.push(place(node, text?.getText() ?? ''));
        // The arguments may contain texts of their own.
        node.arguments.slice(1).forEach(visit);
        return;
      }
      if (isForDevelopers(node)) return;
      const text = ts.isStringLiteralLike(node)
        ? node.text
        : ts.isTemplateExpression(node)
          ? node.head.text
          : '';
      if (isExtension && /^[A-Z“][\w’”]* [^:]*[a-z]/.test(text)) plain.push(place(node, text));
      node.forEachChild(visit);
    };
    visit(source);
  }
  return { localized, unreadable, plain };
}

/** Imports, log lines, errors that are bugs, and names of output channels. */
function isForDevelopers(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return true;
  if (ts.isCallExpression(node)) {
    return /(\blog|#log)\.\w+$|createOutputChannel$/.test(node.expression.getText());
  }
  return ts.isNewExpression(node) && /^(Range|Type)?Error$/.test(node.expression.getText());
}
