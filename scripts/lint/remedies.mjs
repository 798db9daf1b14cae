// An error that says to do something first must offer that as a button.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const SAYS_FIRST = /\bfirst[.:]/i;
const WITHOUT_BUTTONS = /^src[/\\](cli|host)[/\\]/;

/**
 * Finds each `new UserError` without a `remedy` in a block with a text such as "Stop it first."
 * The command line and the recorder are left out, because they have no buttons.
 * @returns {string[]} a sentence for each
 */
export function errorsWithoutRemedy(root) {
  const found = [];
  const files = globSync('src/**/*.ts', { cwd: root }).sort();
  for (const file of files.filter((name) => !WITHOUT_BUTTONS.test(name))) {
    const text = readFileSync(path.join(root, file), 'utf8');
    if (!SAYS_FIRST.test(text)) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const error of userErrors(source)) {
      if (hasRemedy(error) || !saysFirst(ts.findAncestor(error, ts.isBlock) ?? source)) continue;
      const { line } = source.getLineAndCharacterOfPosition(error.getStart());
      found.push(`${file}:${line + 1}: the text says “first”: add a remedy, or reword it`);
    }
  }
  return found;
}

function userErrors(source) {
  return descendants(source).filter(
    (node) => ts.isNewExpression(node) && node.expression.getText() === 'UserError',
  );
}

function hasRemedy(error) {
  return (error.arguments ?? []).some(
    (argument) =>
      ts.isObjectLiteralExpression(argument) &&
      argument.properties.some((property) => property.name?.getText() === 'remedy'),
  );
}

/** Only in this block, since blocks inside it may throw other errors. */
function saysFirst(block) {
  return descendants(block, ts.isBlock).some(
    (node) =>
      (ts.isStringLiteralLike(node) ||
        ts.isTemplateHead(node) ||
        ts.isTemplateMiddleOrTemplateTail(node)) &&
      SAYS_FIRST.test(node.text),
  );
}

function descendants(node, isLeftOut = () => false) {
  const found = [];
  node.forEachChild((child) => {
    if (!isLeftOut(child)) found.push(child, ...descendants(child, isLeftOut));
  });
  return found;
}
