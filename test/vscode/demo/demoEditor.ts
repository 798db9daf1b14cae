import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { NodeAgentProbe } from '../../../src/agents/node/capture/agentProbe.ts';
import { until } from '../../support/ah.ts';
import { ensureSystemPackages } from '../harness/editor/aptPackages.ts';
import { editorEnvironment, EditorServer, writeSettings } from '../harness/editor/editorServer.ts';
import { ensureServer } from '../harness/editor/installServer.ts';
import { isProcess } from './isProcess.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../..');

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'git.enabled': true,
  // The user's default; most tests set another value.
  'ah.terminal.location': undefined,
};

export interface DemoPlaces {
  readonly root: string;
  readonly workspace: string;
  /** The environment of the editor and of everything that it starts. */
  readonly env: Readonly<Record<string, string>>;
}

/** A separate VS Code without the user's settings and extensions. */
export interface DemoEditor {
  /** Opens the workspace, or prints its address. */
  show(): Promise<void>;
  close(): Promise<void>;
}

/** Desktop VS Code if installed, else the one for the browser. */
export async function openDemoEditor(places: DemoPlaces): Promise<DemoEditor> {
  const probe = new NodeAgentProbe();
  const code = hasDisplay() ? probe.find('code') : undefined;
  return code === undefined ? browserEditor(places, probe) : desktopEditor(code, places);
}

async function browserEditor(places: DemoPlaces, probe: NodeAgentProbe): Promise<DemoEditor> {
  ensureSystemPackages(['libkrb5-dev']);
  const { root, workspace, env } = places;
  const server = await EditorServer.start({
    serverFolder: ensureServer(),
    root,
    isDriven: false,
    extension: 'linked',
    settings: SETTINGS,
    env,
  });
  return {
    show: () => {
      const address = server.folderUrl(workspace);
      console.log(`\nVS Code with the extension, in a browser:\n\n  ${address}\n`);
      const opener = hasDisplay() ? probe.find(isMac ? 'open' : 'xdg-open') : undefined;
      if (opener) spawn(opener, [address], { detached: true, stdio: 'ignore' }).unref();
      return Promise.resolve();
    },
    close: () => server.stop(),
  };
}

function desktopEditor(code: string, places: DemoPlaces): DemoEditor {
  const data = path.join(places.root, 'data');
  const args = [
    // Separate user data: a window of a running VS Code would not find the demo's sessions.
    `--user-data-dir=${data}`,
    `--extensions-dir=${path.join(places.root, 'extensions')}`,
    `--extensionDevelopmentPath=${projectFolder}`,
    '--new-window',
    '--skip-welcome',
    '--disable-workspace-trust',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    places.workspace,
  ];
  return {
    show: async () => {
      writeSettings(data, SETTINGS);
      const env = editorEnvironment(places.env);
      const child = spawn(code, args, { env, detached: true, stdio: 'ignore' });
      await once(child, 'spawn');
      child.unref();
      console.log('\nVS Code opens with the extension.\n');
    },
    close: () => endDesktop(path.join(data, 'code.lock')),
  };
}

/** `code` exits at once; VS Code writes its PID to a file. */
async function endDesktop(lockFile: string): Promise<void> {
  const pid = Number(await readFile(lockFile, 'utf8').catch(() => ''));
  if (pid > 0 && isProcess(pid)) process.kill(pid, 'SIGTERM');
  await until(() => !(pid > 0 && isProcess(pid)), 'VS Code to end', 10_000);
}

const isMac = process.platform === 'darwin';

function hasDisplay(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY);
}
