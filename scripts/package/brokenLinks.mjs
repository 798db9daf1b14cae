// Finds links in Markdown files that lead nowhere, so that a package has what its texts refer to.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** `[text](target)`, `![text](target)` and `[name]: target`. */
const LINK = /\]\(([^)\s]+)\)|^\[[^\]]+\]:\s+(\S+)$/gm;
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;

/** @returns {string[]} a sentence for each relative link without a target under `root` */
export function brokenLinks(root) {
  const broken = [];
  for (const file of globSync('**/*.md', { cwd: root }).sort()) {
    const text = readFileSync(path.join(root, file), 'utf8').replace(CODE, '');
    for (const [, inline, named] of text.matchAll(LINK)) {
      const target = (inline ?? named).replace(/#.*$/, '');
      if (target === '' || /^[a-z]+:/.test(target)) continue;
      if (!existsSync(path.join(root, path.dirname(file), target)))
        broken.push(`${file}: the target of ${target} is missing`);
    }
  }
  return broken;
}
