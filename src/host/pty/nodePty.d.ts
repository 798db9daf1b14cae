/** The part of node-pty that loads its native binding; the package has no types for it. */
declare module 'node-pty/lib/utils.js' {
  export function loadNativeModule(name: string): {
    readonly dir: string;
    readonly module: unknown;
  };
}
