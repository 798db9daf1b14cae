export interface TestGroup {
  readonly suite: string;
  readonly files: readonly string[];
  readonly seconds: number;
}

export function chooseTests(
  root: string,
  changed: readonly string[],
  fileSeconds?: ReadonlyMap<string, number>,
): TestGroup[];
