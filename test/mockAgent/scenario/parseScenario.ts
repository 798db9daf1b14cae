import { LineCounter, parseDocument } from 'yaml';
import { allStepKinds } from '../steps/allStepKinds.ts';
import { ScenarioError, type Answer, type Scenario, type TranscriptSettings } from './scenario.ts';
import type { Step } from './step.ts';

const topFields = ['name', 'seed', 'transcript', 'steps', 'answers'];
const transcriptFields = ['path', 'sessionId', 'startTime', 'partialLines', 'truncateBytes'];

type YamlPath = readonly (string | number)[];
/** Reports a problem at a place in the file. */
type Report = (path: YamlPath, problem: string) => void;

/**
 * Reads a scenario written in YAML or JSON.
 * @param fileName for the problems' sentences
 * @throws ScenarioError with every problem, each with file, line, step and field
 */
export function parseScenario(source: string, fileName: string): Scenario {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const problems = document.errors.map((error) => `${fileName}: ${error.message}`);
  if (problems.length > 0) throw new ScenarioError(problems);

  const report: Report = (path, problem) => {
    const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    const line = node?.range ? `:${lines.linePos(node.range[0]).line}` : '';
    const end = problem.endsWith('?') ? '' : '.';
    problems.push(`${fileName}${line}: ${problem}${end}`);
  };
  const scenario = readScenario(document.toJS() as unknown, fileName, report);
  if (problems.length > 0) throw new ScenarioError(problems);
  return scenario;
}

function readScenario(content: unknown, fileName: string, report: Report): Scenario {
  if (!isMap(content)) {
    throw new ScenarioError([`${fileName}: a scenario is a map with a list of "steps".`]);
  }
  reportUnknown(content, topFields, [], 'the scenario', report);
  const { name = fileName, seed = 1, steps, transcript = {}, answers = [] } = content;
  if (typeof name !== 'string') report(['name'], 'field name must be a text');
  if (!Number.isInteger(seed)) report(['seed'], 'field seed must be a whole number');
  if (!Array.isArray(steps)) report(['steps'], 'field steps must be a list of steps');
  return {
    name: String(name),
    seed: Number(seed),
    transcript: readTranscript(transcript, report),
    steps: Array.isArray(steps) ? parseSteps(steps, ['steps'], '', report) : [],
    answers: readAnswers(answers, report),
  };
}

function parseSteps(list: unknown[], path: YamlPath, prefix: string, report: Report): Step[] {
  return list.flatMap((item, index) => {
    const position = `${prefix}${index + 1}`;
    const at = [...path, index];
    const [name, ...more] = isMap(item) ? Object.keys(item) : [];
    if (!isMap(item) || name === undefined || more.length > 0) {
      report(at, `step ${position} must be a map with one key, the kind of step`);
      return [];
    }
    const kind = allStepKinds.get(name);
    if (!kind) {
      report(at, `step ${position}: there is no step "${name}"${suggestion(name)}`);
      return [];
    }
    const play = kind.parse(item[name], {
      parseSteps: (value, field) =>
        parseSteps(value as unknown[], [...at, name, field], `${position}.${field}.`, report),
      report: (problem) => report([...at, name], `step ${position} (${name}): ${problem}`),
    });
    return [{ kind: name, position, play }];
  });
}

function readAnswers(value: unknown, report: Report): Answer[] {
  if (!Array.isArray(value)) {
    report(['answers'], 'field answers must be a list of maps with "match" and "steps"');
    return [];
  }
  return value.flatMap((answer: unknown, index) => {
    const at = ['answers', index];
    if (!isMap(answer) || !Array.isArray(answer.steps)) {
      report(at, `answer ${index + 1} must be a map with a list of "steps"`);
      return [];
    }
    const steps = parseSteps(answer.steps, [...at, 'steps'], `answer ${index + 1}.`, report);
    const match = answer.match === undefined ? undefined : asPattern(answer.match);
    if (match === null) report(at, `answer ${index + 1}: field match must be a regular expression`);
    return [{ match: match ?? undefined, steps }];
  });
}

function readTranscript(value: unknown, report: Report): TranscriptSettings {
  const given = isMap(value) ? value : { path: value };
  const fail = (field: string, expected: string): void =>
    report(['transcript'], `field ${field} of the transcript must be ${expected}`);
  reportUnknown(given, transcriptFields, ['transcript'], 'the transcript', report);
  const { path, sessionId, startTime, partialLines = false, truncateBytes = 0 } = given;
  if (path !== undefined && typeof path !== 'string') fail('path', 'a path');
  if (sessionId !== undefined && typeof sessionId !== 'string') fail('sessionId', 'a text');
  const startTimeMs = typeof startTime === 'string' ? Date.parse(startTime) : undefined;
  if (startTime !== undefined && startTimeMs === undefined) fail('startTime', 'a text');
  if (Number.isNaN(startTimeMs)) fail('startTime', 'a date and time in ISO 8601');
  if (typeof partialLines !== 'boolean') fail('partialLines', 'true or false');
  if (!Number.isInteger(truncateBytes)) fail('truncateBytes', 'a whole number');
  return {
    path: path as string | undefined,
    sessionId: sessionId as string | undefined,
    startTimeMs,
    partialLines: partialLines === true,
    truncateBytes: Number(truncateBytes),
  };
}

function reportUnknown(
  given: Record<string, unknown>,
  known: readonly string[],
  path: YamlPath,
  owner: string,
  report: Report,
): void {
  for (const field of Object.keys(given).filter((key) => !known.includes(key))) {
    report(
      [...path, field],
      `${owner} has no field "${field}"; the fields are ${known.join(', ')}`,
    );
  }
}

/** `null` for an invalid pattern. */
function asPattern(value: unknown): RegExp | null {
  try {
    return typeof value === 'string' ? new RegExp(value, 'i') : null;
  } catch {
    return null;
  }
}

/** Suggests a kind with nearly the same letters. */
function suggestion(name: string): string {
  const unlike = (other: string): number =>
    [...other].filter((letter) => !name.includes(letter)).length +
    [...name].filter((letter) => !other.includes(letter)).length +
    Math.abs(other.length - name.length);
  const [best] = [...allStepKinds.keys()].sort((a, b) => unlike(a) - unlike(b));
  return best !== undefined && unlike(best) <= 2 ? `; did you mean "${best}"?` : '';
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
