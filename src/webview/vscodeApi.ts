/** The API of a webview. */
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
