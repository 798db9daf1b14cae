import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Required programs, their Debian packages, and a file that shows that each is installed. */
const KNOWN = [
  { debianPackage: 'chromium', file: '/usr/bin/chromium' },
  { debianPackage: 'libkrb5-dev', file: '/usr/include/krb5.h' },
  // Contains the symbols that agents draw.
  {
    debianPackage: 'fonts-symbola',
    file: '/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf',
  },
] as const;

export const CHROMIUM = process.env['CHROMIUM'] ?? KNOWN[0].file;

/** Installs the missing Debian packages; if that fails, throws a sentence that names them. */
export function ensureSystemPackages(
  wanted: readonly string[] = ['chromium', 'libkrb5-dev'],
): void {
  const missing = KNOWN.filter(
    ({ debianPackage, file }) =>
      wanted.includes(debianPackage) &&
      !existsSync(debianPackage === 'chromium' ? CHROMIUM : file) &&
      process.platform === 'linux',
  ).map(({ debianPackage }) => debianPackage);
  if (missing.length === 0) return;
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!canInstall) {
    throw new Error(`This needs ${missing.join(' and ')}: install it and run this again.`);
  }
  console.log(`Installing ${missing.join(' and ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  aptGet('update');
  if (aptGet('install', '-y', '--no-install-recommends', ...missing).status !== 0) {
    throw new Error(`apt-get could not install ${missing.join(' and ')}; see its message above.`);
  }
}
