import path from 'node:path';
import { unknownStyle } from '../terminal/styles.ts';
import type { Step } from './step.ts';

/** Reads steps nested in a field and reports their problems on its own. */
export type ParseSteps = (value: unknown, field: string) => readonly Step[];

/**
 * A kind of value: `accept` returns `undefined` for an invalid one; `expected` completes "must be
 * …".
 */
export interface FieldType<T> {
  readonly expected: string;
  accept(value: unknown, parseSteps: ParseSteps, field: string): T | undefined;
}

export interface Field<T> {
  readonly type: FieldType<unknown>;
  readonly required: boolean;
  readonly fallback: T | undefined;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

export function required<T>(type: FieldType<T>): Field<T> {
  return { type, required: true, fallback: undefined };
}

export function optional<T>(type: FieldType<T>): Field<T | undefined> {
  return { type, required: false, fallback: undefined };
}

export function withDefault<T>(type: FieldType<T>, fallback: T): Field<T> {
  return { type, required: false, fallback };
}

export const text: FieldType<string> = {
  expected: 'a text',
  accept: (value) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : undefined,
};

/** Text with markup; see `terminal/styles.ts`. */
export const styledText: FieldType<string> = {
  expected: 'a text whose {{styles}} all exist',
  accept: (value) =>
    typeof value === 'string' && unknownStyle(value) === undefined ? value : undefined,
};

export const flag: FieldType<boolean> = {
  expected: 'true or false',
  accept: (value) => (typeof value === 'boolean' ? value : undefined),
};

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): FieldType<number> {
  return {
    expected:
      max === Number.MAX_SAFE_INTEGER
        ? `a whole number of at least ${min}`
        : `a whole number from ${min} to ${max}`,
    accept: (value) =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max
        ? Number(value)
        : undefined,
  };
}

/** A duration in milliseconds of scenario time. */
export const milliseconds = wholeNumber(0);

export function oneOf<const T extends string>(...choices: readonly T[]): FieldType<T> {
  return {
    expected: `one of ${choices.join(', ')}`,
    accept: (value) => choices.find((choice) => choice === value),
  };
}

/** A list; a single value becomes a list of one. */
export function listOf<T>(type: FieldType<T>): FieldType<readonly T[]> {
  return {
    expected: `${type.expected}, or a list of such`,
    accept(value, parseSteps, field) {
      const items: readonly unknown[] = Array.isArray(value) ? value : [value];
      const accepted = items.map((item) => type.accept(item, parseSteps, field));
      return accepted.some((item) => item === undefined) ? undefined : (accepted as T[]);
    },
  };
}

export const steps: FieldType<readonly Step[]> = {
  expected: 'a list of steps',
  accept: (value, parseSteps, field) =>
    Array.isArray(value) ? parseSteps(value, field) : undefined,
};

/** A path inside the workspace. */
export const workspacePath: FieldType<string> = {
  expected: 'a relative path inside the folder',
  accept(value) {
    if (typeof value !== 'string' || value === '' || path.isAbsolute(value)) return undefined;
    return path.normalize(value).split(path.sep)[0] === '..' ? undefined : path.normalize(value);
  },
};

/** A program with its arguments, or a line for the shell. */
export const command: FieldType<string | readonly [string, ...string[]]> = {
  expected: 'a shell command, or a list of a program and its arguments',
  accept(value) {
    if (typeof value === 'string' && value !== '') return value;
    if (!Array.isArray(value) || value.length === 0) return undefined;
    return value.map(String) as [string, ...string[]];
  },
};

/** Permission bits, written as in `chmod`: 755, "0644". */
export const fileMode: FieldType<number> = {
  expected: 'permissions in octal digits, such as 755',
  accept: (value) =>
    (typeof value === 'string' || typeof value === 'number') && /^[0-7]{3,4}$/.test(String(value))
      ? Number.parseInt(String(value), 8)
      : undefined,
};

export const textMap: FieldType<Readonly<Record<string, string>>> = {
  expected: 'names with a text each',
  accept: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]))
      : undefined,
};

export const hexBytes: FieldType<Buffer> = {
  expected: 'pairs of hexadecimal digits (in quotes where YAML would see a number)',
  accept(value) {
    const digits = typeof value === 'string' ? value.replace(/\s/g, '') : undefined;
    if (digits === undefined || !/^([0-9a-f]{2})+$/i.test(digits)) return undefined;
    return Buffer.from(digits, 'hex');
  },
};

export const base64Bytes: FieldType<Buffer> = {
  expected: 'base64',
  accept(value) {
    if (typeof value !== 'string' || !/^[a-z0-9+/\s]+=*\s*$/i.test(value)) return undefined;
    return Buffer.from(value, 'base64');
  },
};
