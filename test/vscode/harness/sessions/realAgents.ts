import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import type { AgentSetup } from '../../../agents/agentSetup.ts';
import { MockProvider } from '../../../mockProvider/mockProvider.ts';
import { namedScenario } from '../../../mockProvider/scenario.ts';
import { AhSandbox } from '../../../support/ah.ts';
import { EditorServer } from '../editor/editorServer.ts';
import { ensureServer } from '../editor/installServer.ts';
import { journeyWorld } from '../journeyHooks.ts';
import { Workbench } from '../pages/workbench.ts';

const GIT_AS = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
/** The name of a branch with the message {@link GO_ON}. */
export const GO_ON = '@@go-on please';
const BRANCH_NAME = 'go-on-please';

/** VS Code with a real agent installed and configured; the agent's provider is a mock. */
export class RealAgentEditor {
  readonly folder: string;
  readonly branch: string;
  readonly provider: MockProvider;
  readonly sandbox: AhSandbox;
  readonly #root: string;
  readonly #server: EditorServer;
  readonly #context: BrowserContext;

  private constructor(
    root: string,
    provider: MockProvider,
    server: EditorServer,
    context: BrowserContext,
  ) {
    this.#root = root;
    this.folder = path.join(root, 'project');
    this.branch = path.join(root, 'project.branches', BRANCH_NAME);
    this.provider = provider;
    this.sandbox = new AhSandbox(path.join(root, 'ah'));
    this.#server = server;
    this.#context = context;
  }

  /** @param configure sets the agent up so that it asks no questions */
  static async start(
    setup: AgentSetup,
    configure: (home: string, url: string) => void,
  ): Promise<RealAgentEditor> {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ah-r-')));
    const folder = path.join(root, 'project');
    const branch = path.join(root, 'project.branches', BRANCH_NAME);
    const home = path.join(root, 'home');
    for (const each of [folder, home, path.join(root, 'ah'), path.join(root, 'tmp')])
      mkdirSync(each);
    makeRepository(folder);
    const provider = await MockProvider.start(namedScenario('branching', { cwd: folder, branch }));
    setup.prepare({ home, cwd: folder, hooks: () => 'true' });
    configure(home, provider.url);
    installOnPath(home, path.join(root, 'bin'), setup.program);
    const server = await EditorServer.start({
      serverFolder: ensureServer(),
      root,
      isDriven: false,
      extension: 'linked',
      env: {
        AH_DATA_DIR: path.join(root, 'ah'),
        HOME: home,
        SHELL: '/bin/bash',
        TMPDIR: path.join(root, 'tmp'),
        ...setup.env({ home, url: provider.url }),
      },
    });
    const size = { width: 1280, height: 800 };
    const context = await journeyWorld().browser.newContext({ viewport: size });
    return new RealAgentEditor(root, provider, server, context);
  }

  async open(): Promise<Workbench> {
    const page = await this.#context.newPage();
    await page.goto(this.#server.folderUrl(this.folder));
    const workbench = new Workbench(page);
    await workbench.ready();
    return workbench;
  }

  /** Waits for a new window. */
  async opened(act: () => Promise<void>): Promise<Workbench> {
    const [page] = await Promise.all([this.#context.waitForEvent('page'), act()]);
    const workbench = new Workbench(page);
    await workbench.ready();
    return workbench;
  }

  async keepPictures(name: string): Promise<void> {
    for (const [index, page] of this.#context.pages().entries()) {
      const file = path.resolve('.vscode-test/failures', `${name}-${index}.png`);
      await page.screenshot({ path: file });
      console.log(`      screenshot: ${file}`);
    }
  }

  async dispose(): Promise<void> {
    await this.#context.close();
    await this.#server.stop();
    await this.sandbox.dispose();
    await this.provider.stop();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function makeRepository(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '-q', '-b', 'main');
  writeFileSync(path.join(folder, 'committed.txt'), 'committed\n');
  git('add', '.');
  git(...GIT_AS, 'commit', '-q', '-m', 'First');
  writeFileSync(path.join(folder, 'staged.txt'), 'staged\n');
  git('add', 'staged.txt');
}

/** VS Code takes PATH from a login shell. */
function installOnPath(home: string, binFolder: string, program: string): void {
  mkdirSync(binFolder);
  symlinkSync(realpathSync(program), path.join(binFolder, path.basename(program)));
  writeFileSync(path.join(home, '.bash_profile'), `export PATH="${binFolder}:$PATH"\n`);
}
