import type { AgentContext } from '../agentContext.ts';
import type { Field, Fields, ParseSteps, ValuesOf } from './fields.ts';

/** A step of a scenario, checked and ready to play. */
export interface Step {
  readonly kind: string;
  /** The step's place: "4", or "4.yes.2" for the second step in the field `yes` of step 4. */
  readonly position: string;
  play(context: AgentContext): Promise<void>;
}

/** A kind of step with any fields. */
export interface StepKind {
  readonly name: string;
  readonly fieldNames: readonly string[];
  /** Returns the function that plays the step, or reports all problems. */
  parse(
    value: unknown,
    tools: { readonly parseSteps: ParseSteps; readonly report: (problem: string) => void },
  ): Step['play'];
}

interface Definition<F extends Fields> {
  readonly name: string;
  readonly fields: F;
  /** The field of a step with a bare value instead of fields. */
  readonly shorthand?: keyof F & string;
  /** An error sentence about conflicting fields. */
  check?(values: ValuesOf<F>): string | undefined;
  play(values: ValuesOf<F>, context: AgentContext): Promise<void>;
}

export function defineStep<const F extends Fields>(definition: Definition<F>): StepKind {
  const { name, fields, shorthand } = definition;
  const fieldNames = Object.keys(fields);
  return {
    name,
    fieldNames,
    parse(value, { parseSteps, report }) {
      const given = asFields(value, shorthand);
      let isValid = true;
      const fail = (problem: string): undefined => {
        isValid = false;
        report(problem);
      };
      for (const unknown of Object.keys(given).filter((key) => !fieldNames.includes(key))) {
        fail(`there is no field "${unknown}"; the fields are ${fieldNames.join(', ') || 'none'}`);
      }
      const values = Object.fromEntries(
        fieldNames.map((field) => [
          field,
          readField(field, fields[field] as Field<unknown>, given[field], parseSteps, fail),
        ]),
      ) as ValuesOf<F>;
      const conflict = isValid ? definition.check?.(values) : undefined;
      if (conflict !== undefined) report(conflict);
      return (context) => definition.play(values, context);
    },
  };
}

function asFields(value: unknown, shorthand: string | undefined): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  return { [shorthand ?? 'value']: value };
}

function readField(
  name: string,
  field: Field<unknown>,
  value: unknown,
  parseSteps: ParseSteps,
  fail: (problem: string) => undefined,
): unknown {
  if (value === undefined || value === null) {
    return field.required ? fail(`field ${name} is missing`) : field.fallback;
  }
  const accepted = field.type.accept(value, parseSteps, name);
  if (accepted !== undefined) return accepted;
  return fail(`field ${name} must be ${field.type.expected}, not ${JSON.stringify(value)}`);
}
