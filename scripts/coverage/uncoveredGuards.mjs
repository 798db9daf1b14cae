// Finds error paths that no test ran: `catch` clauses, and `return`, `throw`, `continue` and
// `break` behind a condition.
import ts from 'typescript';

const EXITS = new Map([
  [ts.SyntaxKind.ReturnStatement, 'return'],
  [ts.SyntaxKind.ThrowStatement, 'throw'],
  [ts.SyntaxKind.ContinueStatement, 'continue'],
  [ts.SyntaxKind.BreakStatement, 'break'],
]);

/**
 * A guard inside an uncovered guard is not listed again.
 * @param covered 1 for every character that ran
 * @returns the line of each uncovered guard, its kind, its source and, where `// Untested: …`
 *   explains it, the reason
 */
export function uncoveredGuards(file, text, covered) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const reasons = untestedComments(text);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found = [];
  const visit = (node, behind) => {
    // Conditions of a nested function belong to that function.
    const guard = guardOf(node) ?? (ts.isFunctionLike(node) ? undefined : behind);
    const kind = uncoveredKind(node, guard, (at) => covered[at] === 1, source);
    if (kind !== undefined) {
      found.push({ kind, guard: kind === 'catch' ? { start: node, region: node } : guard });
      return;
    }
    ts.forEachChild(node, (child) => visit(child, guard));
  };
  visit(source, undefined);
  return withoutNested(found).map(({ kind, guard }) => {
    const [first, last] = [guard.start.getStart(source), guard.region.getEnd()];
    return {
      line: lineOf(first),
      kind,
      source: text.slice(first, last).replace(/\s+/g, ' ').slice(0, 140),
      reason: reasons.find((reason) => explains(reason, lineOf(first), lineOf(last)))?.text,
    };
  });
}

/** A file with types only has no coverage. */
export function hasCode(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements.some(
    (node) =>
      !ts.isInterfaceDeclaration(node) &&
      !ts.isTypeAliasDeclaration(node) &&
      !ts.isImportDeclaration(node) &&
      !ts.isExportDeclaration(node),
  );
}

/**
 * @returns the start of the condition that decides whether `node` runs, and the guarded statement
 */
function guardOf(node) {
  const { parent } = node;
  if (parent && ts.isIfStatement(parent) && node !== parent.expression)
    return { start: parent, region: node };
  if (ts.isCaseOrDefaultClause(node)) return { start: node, region: node };
  return undefined;
}

function uncoveredKind(node, guard, isCovered, source) {
  if (ts.isCatchClause(node) && !isCovered(node.block.getStart(source))) return 'catch';
  if (isCatchCallback(node) && !isCovered(node.body.getStart(source))) return 'catch';
  const exit = EXITS.get(node.kind);
  if (exit === undefined || guard === undefined) return undefined;
  return isCovered(node.getStart(source)) ? undefined : exit;
}

/** `.catch(callback)` and `.then(…, callback)`. */
function isCatchCallback(node) {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false;
  const call = node.parent;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false;
  const handlerAt = { catch: 0, then: 1 }[call.expression.name.text];
  return handlerAt !== undefined && call.arguments[handlerAt] === node;
}

function withoutNested(found) {
  const contains = (outer, inner) => outer.pos <= inner.pos && inner.end <= outer.end;
  return found.filter(
    (one, at) =>
      !found.some(
        (other, index) =>
          index !== at &&
          contains(other.guard.region, one.guard.region) &&
          (other.guard.region !== one.guard.region || index < at),
      ),
  );
}

/** A comment on its own lines explains the code below; a comment after code explains its line. */
function explains({ first, last, isOwnLine }, guardFirst, guardLast) {
  return first <= guardLast && last >= (isOwnLine ? guardFirst - 1 : guardFirst);
}

/** Every comment of the form `// Untested: …`, with the comment lines that continue it. */
function untestedComments(text) {
  const lines = text.split('\n');
  const comments = [];
  for (const [index, line] of lines.entries()) {
    const match = /^(.*?)\/\/ Untested: (.+)$/.exec(line);
    if (match === null) continue;
    const isOwnLine = match[1].trim() === '';
    const words = [match[2].trim()];
    let last = index;
    while (isOwnLine && /^\s*\/\/ /.test(lines[last + 1] ?? ''))
      words.push(lines[++last].trim().slice(3));
    comments.push({ first: index + 1, last: last + 1, isOwnLine, text: words.join(' ') });
  }
  return comments;
}
