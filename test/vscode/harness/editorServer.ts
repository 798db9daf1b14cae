import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../support/ah.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../..');

export interface EditorServerOptions {
  readonly serverFolder: string;
  /** Short: sockets are made below it, and their paths may not be long. */
  readonly root: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly settings?: Record<string, unknown>;
  /** Loads extensions and tests named in an address, and never shows a notification. */
  readonly isDriven: boolean;
  /** As a desktop does: a folder is restricted until the user trusts it. */
  readonly asksForTrust?: boolean;
  /** The extension as built in this clone, a package of it, or none. */
  readonly extension: 'linked' | 'none' | { readonly vsix: string };
  /** Folders of other extensions. */
  readonly helpers?: readonly string[];
}

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'security.workspace.trust.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'update.mode': 'none',
  'window.confirmBeforeClose': 'never',
  'git.enabled': false,
  'editor.minimap.enabled': false,
  // The other renderers draw on a canvas, where no test can read.
  'terminal.integrated.gpuAcceleration': 'off',
};

/** A VS Code of its own: server, user data and extensions in one folder, reached by a browser. */
export class EditorServer {
  readonly url: string;
  readonly port: number;
  readonly root: string;
  readonly #process: ChildProcess;
  readonly #commandLine: readonly string[];

  private constructor(process: ChildProcess, options: EditorServerOptions, port: number) {
    this.#process = process;
    this.#commandLine = commandLine(options);
    this.root = options.root;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(options: EditorServerOptions): Promise<EditorServer> {
    const { root } = options;
    const extensions = path.join(root, 'extensions');
    mkdirSync(extensions, { recursive: true });
    writeSettings(path.join(root, 'data'), options.settings);
    writeFileSync(path.join(root, 'config.yaml'), 'auth: none\n');
    for (const helper of options.helpers ?? []) linkExtension(extensions, helper);
    if (options.extension === 'linked') linkExtension(extensions, projectFolder);
    else if (options.extension !== 'none') installPackage(options, options.extension.vsix);
    const port = await freePort();
    const log = openSync(path.join(root, 'server.log'), 'a');
    const child = spawn(
      process.execPath,
      [
        ...commandLine(options),
        ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
        ...['--disable-telemetry', '--disable-update-check', '--ignore-last-opened'],
        '--disable-getting-started-override',
        ...(options.asksForTrust ? [] : ['--disable-workspace-trust']),
        ...(options.isDriven ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
      ],
      { env: editorEnvironment(options.env), detached: true, stdio: ['ignore', log, log] },
    );
    closeSync(log);
    const server = new EditorServer(child, options, port);
    await until(() => server.#isUp(), 'the editor to listen', 120_000);
    return server;
  }

  /** The address of a folder opened in this editor. */
  folderUrl(folder: string, payload?: readonly (readonly [string, string])[]): string {
    const query = new URLSearchParams({ folder });
    if (payload) query.set('payload', JSON.stringify(payload));
    return `${this.url}/?${query.toString()}`;
  }

  /** A window with the folders that a file lists. */
  workspaceUrl(file: string): string {
    return `${this.url}/?${new URLSearchParams({ workspace: file }).toString()}`;
  }

  /** As "Uninstall" does: whoever runs goes on until the window reloads. */
  async uninstall(extensionId: string): Promise<void> {
    const args = [...this.#commandLine, '--uninstall-extension', extensionId];
    await promisify(execFile)(process.execPath, args, { env: editorEnvironment() });
  }

  async stop(): Promise<void> {
    this.#signal('SIGTERM');
    await until(() => this.#hasEnded, 'the editor to end', 8000).catch(() =>
      this.#signal('SIGKILL'),
    );
  }

  /** At once, and without waiting. */
  kill(): void {
    this.#signal('SIGKILL');
  }

  get #hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  async #isUp(): Promise<boolean> {
    if (this.#hasEnded) throw new Error(readFileSync(path.join(this.root, 'server.log'), 'utf8'));
    return fetch(`${this.url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** The whole group: extension hosts belong to it, recorders do not. */
  #signal(signal: NodeJS.Signals): void {
    if (!this.#hasEnded) process.kill(-this.#process.pid!, signal);
  }
}

/** The server program and where it keeps its things. */
function commandLine({ root, serverFolder }: EditorServerOptions): string[] {
  return [
    path.join(serverFolder, 'node_modules/code-server/out/node/entry.js'),
    ...['--user-data-dir', path.join(root, 'data')],
    ...['--extensions-dir', path.join(root, 'extensions')],
    ...['--config', path.join(root, 'config.yaml')],
  ];
}

function installPackage(options: EditorServerOptions, file: string): void {
  const args = [...commandLine(options), '--install-extension', file, '--force'];
  const env = editorEnvironment(options.env);
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (!stdout.includes('successfully installed')) throw new Error(stdout + stderr);
}

function linkExtension(extensionsFolder: string, folder: string): void {
  const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
  const { publisher, name, version } = JSON.parse(manifest) as Record<string, string>;
  symlinkSync(folder, path.join(extensionsFolder, `${publisher}.${name}-${version}`));
}

/** Quiet settings, and whatever else is wanted, for an editor that keeps its things in `dataFolder`. */
export function writeSettings(dataFolder: string, settings: Record<string, unknown> = {}): void {
  const folder = path.join(dataFolder, 'User');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
}

/** An editor started from an editor's terminal must not take itself for a part of that one. */
export function editorEnvironment(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE|ELECTRON|CODE_SERVER|AH)_/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...env };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
