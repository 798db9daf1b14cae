// Runs the provider manually: node test/mockProvider/main.ts SCENARIO FOLDER [PORT]. Prints its
// address and requests.
import { MockProvider } from './mockProvider.ts';
import { namedScenario } from './scenario.ts';

const [name = 'three-tools', folder = process.cwd(), port = '0'] = process.argv.slice(2);
const provider = await MockProvider.start(namedScenario(name, { cwd: folder }), Number(port));
console.log(provider.url);
provider.onCall = (call) => {
  const { api, path, turn, answer, conversation } = call;
  console.log(JSON.stringify({ api, path, turn, answer, tools: conversation.toolNames.length }));
  if (process.env['MOCK_VERBOSE']) console.log(JSON.stringify(call.body));
};
