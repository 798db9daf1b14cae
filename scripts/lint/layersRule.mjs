// Refuses imports that cross the layers of `layers.mjs`. It judges the file that an import resolves to, not how the path is
// written, and type imports as well.
import path from 'node:path';
import { layerOf } from './layers.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** @type {import('eslint').Rule.RuleModule} */
export const layersRule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/');
    const layer = layerOf(file);
    const check = (source) => {
      if (typeof source?.value !== 'string') return;
      const problem = layer
        ? problemOf(layer, file, source.value)
        : `${file} is in no layer: add its folder to scripts/lint/layers.mjs.`;
      if (problem) context.report({ node: source, message: problem });
    };
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: (node) => check(node.source ?? node.argument?.literal),
    };
  },
};

function problemOf({ folder, imports, packages, advice }, file, specifier) {
  if (!specifier.startsWith('.')) {
    const isAllowed = packages.some((name) =>
      name.endsWith(':') ? specifier.startsWith(name) : specifier === name,
    );
    return isAllowed ? undefined : `${folder} may not import ${specifier}. ${advice}`;
  }
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const isAllowed = [folder, ...imports].some((allowed) => target.startsWith(`${allowed}/`));
  return isAllowed ? undefined : `${folder} may not import ${target}. ${advice}`;
}
