// Keeps words that readers have to decode out of texts that users see.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Each with a plain alternative. */
const RULES = [
  [/\bshall\b/i, 'use the present tense, a verb first ("Select…"), or "do you want to"'],
  [/\b(whoever|whomever|whosoever)\b/i, 'name the actor'],
  [/\b(nobody|no one|somebody|someone|everybody|anybody)\b/i, 'name the actor'],
  [/\bthought better of it\b/i, 'say "cancelled"'],
  [
    /[,;] for (it|they|there|he|she|that|no|nothing) (\w+ )?(was|were|is|are|has|have|had|can)\b/i,
    'say "because", or use a colon',
  ],
  [/\bthat (is|was|are|were) told\b/i, 'name who receives what'],
  [/\b(as good as|be let go|let it go|lets? go of)\b/i, 'name the action'],
  [/\b(niemand|jemand|jedermann)\b/i, 'den Akteur nennen'],
];

/** @returns {string | undefined} why a text is refused */
export function complaintAbout(text) {
  for (const [pattern, advice] of RULES) {
    const found = pattern.exec(text);
    if (found) return `“${found[0]}”: ${advice}`;
  }
  return undefined;
}

/** @returns {string[]} a sentence for each refused text under `root` */
export function refusedUiTexts(root) {
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const refused = [];
  const check = (place, text) => {
    const complaint = complaintAbout(text);
    if (complaint) refused.push(`${place}: ${complaint} in “${text}”`);
  };
  for (const file of globSync(['package.nls*.json', 'l10n/*.json'], { cwd: root }).sort()) {
    for (const text of Object.values(JSON.parse(read(file)))) check(file, text);
  }
  for (const file of globSync('src/**/*.ts', { cwd: root }).sort()) {
    const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      if (
        ts.isStringLiteralLike(node) ||
        ts.isTemplateHead(node) ||
        ts.isTemplateMiddleOrTemplateTail(node)
      ) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        check(`${file}:${line + 1}`, node.text);
      }
      node.forEachChild(visit);
    };
    visit(source);
  }
  return refused;
}
