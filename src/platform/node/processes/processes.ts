import { readFileSync } from 'node:fs';
import type { Processes } from '../../../snapshots/common/ports.ts';

/** Names are `number-start`, where the start is the boot and the tick at which the process began, as far as it can be told. */
export const nodeProcesses: Processes = {
  own: nameOf(process.pid) ?? `${process.pid}-unknown`,
  isAlive(name) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    if (!Number.isSafeInteger(pid) || pid <= 0) return Promise.resolve(false);
    const present = nameOf(pid);
    if (present !== undefined) return Promise.resolve(present === name);
    return Promise.resolve(!hasProcFolder() && isListed(pid));
  },
};

/** Whether there is such a process. One that has ended and waits to be asked for its exit code is none, where that can be told. */
export function isProcess(pid: number): boolean {
  return hasProcFolder() ? nameOf(pid) !== undefined : isListed(pid);
}

function nameOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets, which may hold anything; the start is field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid}-${boot.slice(0, 8)}-${fields[19]}`;
  } catch {
    return undefined;
  }
}

function hasProcFolder(): boolean {
  return process.platform === 'linux';
}

function isListed(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
