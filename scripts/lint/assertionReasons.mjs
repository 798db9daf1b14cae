// Requires a comment with the reason for each `!` that claims a value is there: without it, readers
// can't check the claim.

/** How many lines above a `!` its comment may end. */
const REACH = 3;
const NAMES_ASSERTION = /`!`/;
const MESSAGE =
  `Write it without "!", or say why the value is there: in a comment at most ${REACH} lines above, ` +
  'or in one that names `!` and stands in the function, the class or the file around it.';

/** @type {import('eslint').Rule.RuleModule} */
export const assertionReasons = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const { sourceCode } = context;
    const comments = sourceCode.getAllComments();
    const explainsAround = (comment, ancestors) => {
      if (comment.range[0] > ancestors.at(-1).range[0] || !NAMES_ASSERTION.test(comment.value))
        return false;
      const owner = functionAround(sourceCode, comment);
      return owner === undefined || ancestors.includes(owner);
    };
    return {
      TSNonNullExpression(node) {
        const { line } = node.loc.end;
        const ancestors = [...sourceCode.getAncestors(node), node];
        const isExplained = comments.some(
          (comment) =>
            (comment.loc.end.line >= line - REACH && comment.loc.end.line <= line) ||
            explainsAround(comment, ancestors),
        );
        if (!isExplained) context.report({ node, message: MESSAGE });
      },
    };
  },
};

/** @returns the innermost function that contains the comment */
function functionAround(sourceCode, comment) {
  const holder = sourceCode.getNodeByRangeIndex(comment.range[0]) ?? sourceCode.ast;
  return [...sourceCode.getAncestors(holder), holder].findLast(({ type }) =>
    /Function(Declaration|Expression)$/.test(type),
  );
}
