import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { NodeAgentProbe } from '../../../src/agents/node/capture/agentProbe.ts';
import { until } from '../../support/ah.ts';
import { ensureSystemPackages } from '../harness/aptPackages.ts';
import { editorEnvironment, EditorServer, writeSettings } from '../harness/editorServer.ts';
import { ensureServer } from '../harness/installServer.ts';
import { isProcess } from './isProcess.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../..');

const SETTINGS = { 'workbench.startupEditor': 'readme' };

export interface DemoPlaces {
  readonly root: string;
  readonly workspace: string;
  readonly dataFolder: string;
}

/** An editor of the demo's own, with nothing of the user's. */
export interface DemoEditor {
  /** Opens the workspace in it, or says how to. */
  show(): Promise<void>;
  close(): Promise<void>;
}

/** The desktop's VS Code where there is one, else the one for the browser. */
export async function openDemoEditor(places: DemoPlaces): Promise<DemoEditor> {
  const probe = new NodeAgentProbe();
  const code = hasDisplay() ? probe.find('code') : undefined;
  return code === undefined ? browserEditor(places, probe) : desktopEditor(code, places);
}

async function browserEditor(places: DemoPlaces, probe: NodeAgentProbe): Promise<DemoEditor> {
  ensureSystemPackages(['libkrb5-dev']);
  const { root, workspace, dataFolder } = places;
  const server = await EditorServer.start({
    ...{ serverFolder: ensureServer(), root, isDriven: false, extension: 'linked' },
    settings: SETTINGS,
    env: { AH_DATA_DIR: dataFolder },
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
    // Its own data: handed to a VS Code that runs already, the window would not know of the demo's sessions.
    ...[`--user-data-dir=${data}`, `--extensions-dir=${path.join(places.root, 'extensions')}`],
    `--extensionDevelopmentPath=${projectFolder}`,
    ...['--new-window', '--skip-welcome', '--disable-workspace-trust'],
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    places.workspace,
  ];
  return {
    show: async () => {
      writeSettings(data, SETTINGS);
      const env = editorEnvironment({ AH_DATA_DIR: places.dataFolder });
      const child = spawn(code, args, { env, detached: true, stdio: 'ignore' });
      await once(child, 'spawn');
      child.unref();
      console.log('\nVS Code opens with the extension.\n');
    },
    close: () => endDesktop(path.join(data, 'code.lock')),
  };
}

/** `code` only starts the editor and is gone; the editor itself says in a file who it is. */
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
