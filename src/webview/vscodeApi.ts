/** The part of VS Code's webview API that the pages use. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** Call this only once per page: the editor refuses a second call. */
export function vsCodeApi(): VsCodeApi {
  return acquireVsCodeApi();
}
