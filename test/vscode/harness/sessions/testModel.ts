import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const MANIFEST = {
  name: 'test-model',
  publisher: 'ah-tests',
  version: '1.0.0',
  main: './main.js',
  engines: { vscode: '^1.104.0' },
  // With proposed API the model can require consent, as paid models do.
  enabledApiProposals: ['chatProvider'],
  contributes: { languageModelChatProviders: [{ vendor: 'ah-tests', displayName: 'Test Model' }] },
};

/** Answers each request with the same sentence, and writes down the requests. */
const MAIN = `
const vscode = require('vscode');
const fs = require('node:fs');
exports.activate = (context) => {
  const provider = {
    provideLanguageModelChatInformation: () => [
      { id: 'one', name: 'One', family: 'one', version: '1', maxInputTokens: 100000, maxOutputTokens: 1000, capabilities: {}, requiresAuthorization: process.env.TEST_MODEL_ASKS === '1' },
    ],
    provideLanguageModelChatResponse: async (model, messages, options, progress) => {
      const text = messages.flatMap(({ content }) => content.map((part) => part.value ?? '')).join('');
      fs.appendFileSync(process.env.TEST_MODEL_LOG, JSON.stringify(text) + '\\n');
      progress.report(new vscode.LanguageModelTextPart(process.env.TEST_MODEL_ANSWER));
    },
    provideTokenCount: () => Promise.resolve(1),
  };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('ah-tests', provider));
};
`;

/** Creates an extension that provides a language model. Call before VS Code starts. */
export function placeTestModel(extensionsFolder: string): void {
  const folder = path.join(extensionsFolder, 'ah-tests.test-model-1.0.0');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(MANIFEST));
  writeFileSync(path.join(folder, 'main.js'), MAIN);
}
