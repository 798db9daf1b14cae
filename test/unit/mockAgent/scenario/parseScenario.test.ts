import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { parseScenario } from '../../../mockAgent/scenario/parseScenario.ts';
import { ScenarioError } from '../../../mockAgent/scenario/scenario.ts';
import { allStepKinds } from '../../../mockAgent/steps/allStepKinds.ts';

const scenarios = new URL('../../../mockAgent/scenarios/', import.meta.url);
const readme = new URL('../../../mockAgent/README.md', import.meta.url);

function problemsOf(source: string): readonly string[] {
  try {
    parseScenario(source, 'x.yaml');
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    throw error;
  }
  return [];
}

describe('mock agent: scenario', () => {
  it('reads YAML and JSON alike', () => {
    const yaml = parseScenario('name: a\nseed: 4\nsteps:\n  - text: hi\n', 'a.yaml');
    const json = parseScenario('{"name":"a","seed":4,"steps":[{"text":"hi"}]}', 'a.json');
    for (const scenario of [yaml, json]) {
      assert.equal(scenario.name, 'a');
      assert.equal(scenario.seed, 4);
      assert.deepEqual(
        scenario.steps.map(({ kind, position }) => [kind, position]),
        [['text', '1']],
      );
    }
  });

  it('numbers nested steps by their path of fields', () => {
    const source = 'steps:\n  - approval: { question: ok, yes: [{ text: a }, { texd: b }] }';
    assert.deepEqual(problemsOf(source), [
      'x.yaml:2: step 1.yes.2: there is no step "texd"; did you mean "text"?',
    ]);
  });

  const wrong: [name: string, source: string, ...problems: string[]][] = [
    ['no map', '- text: a', 'x.yaml: a scenario is a map with a list of "steps".'],
    ['no steps', 'name: a', 'x.yaml: field steps must be a list of steps.'],
    [
      'an unknown field of the scenario',
      'stpes: []\nsteps: []',
      'x.yaml:1: the scenario has no field "stpes"; the fields are name, seed, transcript, steps, answers.',
    ],
    [
      'a missing field',
      'steps:\n  - text: a\n  - edit: { path: a, find: b }',
      'x.yaml:3: step 2 (edit): field replace is missing.',
    ],
    [
      'a value of the wrong type',
      'steps:\n  - pause: soon',
      'x.yaml:2: step 1 (pause): field durationMs must be a whole number of at least 0, not "soon".',
    ],
    [
      'several problems at once',
      'steps:\n  - exit: 256\n  - spinner: { style: dots, colour: red }',
      'x.yaml:2: step 1 (exit): field code must be a whole number from 0 to 255, not 256.',
      'x.yaml:3: step 2 (spinner): there is no field "colour"; the fields are text, durationMs, intervalMs, style, done.',
      'x.yaml:3: step 2 (spinner): field style must be one of star, braille, line, not "dots".',
    ],
    [
      'a path that leads out',
      'steps:\n  - delete: a/../../b',
      'x.yaml:2: step 1 (delete): field path must be a relative path inside the folder, not "a/../../b".',
    ],
    [
      'fields that exclude each other',
      'steps:\n  - crash: { signal: SIGKILL, exception: x }',
      'x.yaml:2: step 1 (crash): give either signal or exception.',
    ],
    [
      'a style that does not exist',
      'steps:\n  - text: "{{blod}}x{{/}}"',
      'x.yaml:2: step 1 (text): field text must be a text whose {{styles}} all exist, not "{{blod}}x{{/}}".',
    ],
    [
      'a step that is no map',
      'steps:\n  - text',
      'x.yaml:2: step 1 must be a map with one key, the kind of step.',
    ],
    [
      'a transcript with a wrong time',
      'transcript: { startTime: yesterday }\nsteps: []',
      'x.yaml:1: field startTime of the transcript must be a date and time in ISO 8601.',
    ],
    [
      'an answer without steps',
      'steps: []\nanswers: [{ match: a }]',
      'x.yaml:2: answer 1 must be a map with a list of "steps".',
    ],
  ];
  for (const [name, source, ...problems] of wrong) {
    it(`names the place of ${name}`, () => assert.deepEqual(problemsOf(source), problems));
  }

  it('reports broken YAML', () => assert.match(problemsOf('steps: [')[0] ?? '', /^x\.yaml: /));

  for (const file of readdirSync(scenarios)) {
    it(`accepts ${file}`, () =>
      assert.deepEqual(problemsOf(readFileSync(new URL(file, scenarios), 'utf8')), []));
  }

  it('is described in the README: every step with every field', () => {
    const text = readFileSync(readme, 'utf8');
    const shared = ['ask', 'askTimeoutMs', 'moment', 'quiet'];
    for (const { name, fieldNames } of allStepKinds.values()) {
      const row = text.split('\n').find((line) => line.startsWith(`| \`${name}\` `)) ?? '';
      const missing = fieldNames.filter(
        (field) => !row.includes(`\`${field}\``) && !shared.includes(field),
      );
      assert.deepEqual(missing, [], `fields of ${name}`);
    }
  });
});
