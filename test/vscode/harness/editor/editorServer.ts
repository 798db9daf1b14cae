import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../../support/ah.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../../..');

export interface EditorServerOptions {
  readonly serverFolder: string;
  /** Keep this path short: the system limits the length of socket paths below it. */
  readonly root: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly settings?: Record<string, unknown>;
  /** Loads extensions and tests named in the URL, and shows no notifications. */
  readonly isDriven: boolean;
  /** Enables workspace trust, as on the desktop. */
  readonly asksForTrust?: boolean;
  /** The built extension, a package, or none. */
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
  // With port forwarding, VS Code would notify about servers of other programs on this machine.
  'remote.autoForwardPorts': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'update.mode': 'none',
  'window.confirmBeforeClose': 'never',
  'git.enabled': false,
  'editor.minimap.enabled': false,
  // Tests can't read the other renderers, which draw on a canvas.
  'terminal.integrated.gpuAcceleration': 'off',
  // In the panel, terminals leave the editor area to what most tests look at.
  'ah.terminal.location': 'panel',
};

/** A separate VS Code server with its own user data and extensions. */
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
        '--auth',
        'none',
        '--bind-addr',
        `127.0.0.1:${port}`,
        '--disable-telemetry',
        '--disable-update-check',
        '--ignore-last-opened',
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

  /** The URL that opens a folder. */
  folderUrl(folder: string, payload?: readonly (readonly [string, string])[]): string {
    const query = new URLSearchParams({ folder });
    if (payload) query.set('payload', JSON.stringify(payload));
    return `${this.url}/?${query.toString()}`;
  }

  /** The URL that opens a workspace file. */
  workspaceUrl(file: string): string {
    return `${this.url}/?${new URLSearchParams({ workspace: file }).toString()}`;
  }

  /** Uninstalls the extension; it keeps running until the window reloads. */
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

  /** Kills the server without waiting. */
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

  /** The process group: it contains extension hosts, not recorders. */
  #signal(signal: NodeJS.Signals): void {
    if (!this.#hasEnded) process.kill(-this.#process.pid!, signal);
  }
}

/** Arguments of the server program. */
function commandLine({ root, serverFolder }: EditorServerOptions): string[] {
  return [
    path.join(serverFolder, 'node_modules/code-server/out/node/entry.js'),
    '--user-data-dir',
    path.join(root, 'data'),
    '--extensions-dir',
    path.join(root, 'extensions'),
    '--config',
    path.join(root, 'config.yaml'),
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

/** Writes quiet settings, and the given ones, to `dataFolder`. */
export function writeSettings(dataFolder: string, settings: Record<string, unknown> = {}): void {
  const folder = path.join(dataFolder, 'User');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
}

/** Without these variables VS Code would take itself for a part of the one that started it. */
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
