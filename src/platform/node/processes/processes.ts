import { errorCode } from '../../../base/errors.ts';
import { readFileSync } from 'node:fs';
import type { Processes } from '../../../snapshots/common/ports.ts';

/**
 * Names of processes are `pid-start`; the start is the boot ID and the tick at which the process
 * started, if known.
 */
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

/** Whether a process runs. On Linux, a zombie does not count. */
export function isProcess(pid: number): boolean {
  return hasProcFolder() ? nameOf(pid) !== undefined : isListed(pid);
}

function nameOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in brackets, may contain anything; field 22 is the
    // start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${pid}-${boot.slice(0, 8)}-${fields[19]}`;
  } catch {
    // No such process, or no /proc.
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
    return errorCode(error) === 'EPERM';
  }
}
