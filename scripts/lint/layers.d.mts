export interface Layer {
  readonly folder: string;
  readonly imports: readonly string[];
  readonly packages: readonly string[];
  readonly advice: string;
}
export const LAYERS: readonly Layer[];
export function layerOf(file: string): Layer | undefined;
