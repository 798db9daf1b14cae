import tseslint from 'typescript-eslint';
import { layersRule } from './scripts/lint/layersRule.mjs';

const noDefaultExports = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only: one name per thing.',
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
      'no-restricted-syntax': ['error', noDefaultExports],
    },
  },
  {
    files: ['src/extension/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        noDefaultExports,
        {
          selector: 'MemberExpression[property.name=/^show(Information|Warning|Error)Message$/]',
          message: 'The editor makes links of what is in a message: see src/extension/messages.ts.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { ah: { rules: { layers: layersRule } } },
    rules: { 'ah/layers': 'error' },
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
