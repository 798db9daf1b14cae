/** What a page in the editor is given. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** May be called once. */
export function vsCodeApi(): VsCodeApi {
  return acquireVsCodeApi();
}
