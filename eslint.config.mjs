import tseslint from 'typescript-eslint';
import { assertionReasons } from './scripts/lint/assertionReasons.mjs';
import { layersRule } from './scripts/lint/layersRule.mjs';

const noDefaultExports = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only: one name per thing.',
};

const noLiteralSpreads = {
  selector:
    ':matches(SpreadElement[argument.type="ObjectExpression"], ArrayExpression > SpreadElement[argument.type="ArrayExpression"])',
  message: 'Write the fields or elements themselves.',
};

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      '.cache/**',
      '.vscode-test/**',
      '.test-results/**',
      '**/*.d.ts',
    ],
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './tsconfig.webview.json'] },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-empty-function': 'off',
      'max-lines': ['error', { max: 400 }],
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', noDefaultExports, noLiteralSpreads],
    },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    extends: [tseslint.configs.recommended],
    rules: {
      // Destructuring is how a field is left out of a copy.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'max-lines': ['error', { max: 400 }],
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', noDefaultExports, noLiteralSpreads],
    },
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    // Tools require these to export by default.
    files: ['eslint.config.mjs', 'scripts/mutants/*.mjs'],
    rules: { 'no-restricted-syntax': ['error', noLiteralSpreads] },
  },
  {
    files: ['src/extension/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        noDefaultExports,
        noLiteralSpreads,
        {
          selector: 'MemberExpression[property.name=/^show(Information|Warning|Error)Message$/]',
          message: 'The editor makes links of what is in a message: see src/extension/messages.ts.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { ah: { rules: { layers: layersRule, 'assertion-reasons': assertionReasons } } },
    rules: { 'ah/layers': 'error', 'ah/assertion-reasons': 'error' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
