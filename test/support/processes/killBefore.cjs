// Loaded into a recorder by NODE_OPTIONS=--require: kills it before or during an operation on the disk,
// or a message to a client. AH_KILL_PLAN names a file, which the test writes to start this:
// {"log": FILE, "match": REGEXP, "skip": matches to skip, "half": BOOLEAN, "slow": {"match": REGEXP, "ms": NUMBER}}.
'use strict';
const { isMainThread } = require('node:worker_threads');
const fs = require('node:fs');
const net = require('node:net');
const childProcess = require('node:child_process');

if (isMainThread && process.env.AH_KILL_PLAN && /host\.cjs$/.test(process.argv[1] ?? '')) install();

function install() {
  const { appendFileSync, existsSync, readFileSync, writeSync } = fs;
  const names = new WeakMap();
  let plan;
  let isPatched = false;
  let seen = 0;

  /** Called before each operation; does not return if this is where the recorder is killed. */
  function about(what, half) {
    plan ??= existsSync(process.env.AH_KILL_PLAN)
      ? JSON.parse(readFileSync(process.env.AH_KILL_PLAN, 'utf8'))
      : undefined;
    if (!plan) return undefined;
    appendFileSync(plan.log, `${what}\n`);
    if (new RegExp(plan.match).test(what) && seen++ === (plan.skip ?? 0)) {
      if (plan.half) half?.();
      process.kill(process.pid, 'SIGKILL');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    return plan.slow && new RegExp(plan.slow.match).test(what) ? plan.slow.ms : undefined;
  }

  function wrap(object, name, describe, half) {
    const original = object[name];
    object[name] = function (...args) {
      const ms = about(describe(this, args), half && (() => half(this, args)));
      if (ms === undefined) return original.apply(this, args);
      return new Promise((resolve) => setTimeout(resolve, ms)).then(() =>
        original.apply(this, args),
      );
    };
  }

  const { open } = fs.promises;
  fs.promises.open = async (file, ...rest) => {
    const handle = await open(file, ...rest);
    names.set(handle, String(file));
    if (!isPatched) patchHandles(Object.getPrototypeOf(handle));
    isPatched = true;
    return handle;
  };
  function patchHandles(prototype) {
    const name = (handle) => names.get(handle) ?? '?';
    const halfWritten = (handle, [data, offset = 0, length, position]) => {
      const bytes = Buffer.from(data).subarray(typeof offset === 'number' ? offset : 0);
      const count = Math.floor((typeof length === 'number' ? length : bytes.length) / 2);
      writeSync(handle.fd, bytes, 0, count, typeof position === 'number' ? position : null);
    };
    for (const method of ['write', 'writeFile'])
      wrap(prototype, method, (handle) => `write ${name(handle)}`, halfWritten);
    for (const method of ['datasync', 'sync'])
      wrap(prototype, method, (handle) => `sync ${name(handle)}`);
  }
  wrap(fs.promises, 'rename', (_, [from, to]) => `rename ${from} ${to}`);
  for (const method of ['mkdir', 'rm', 'unlink', 'symlink', 'appendFile', 'writeFile'])
    wrap(fs.promises, method, (_, args) => `${method} ${args.slice(0, 2).join(' ').slice(0, 300)}`);
  wrap(childProcess, 'spawn', (_, [program, args]) => `spawn ${program} ${(args ?? []).join(' ')}`);
  // Sockets of our servers belong to clients; others belong to programs.
  wrap(net.Socket.prototype, 'write', (socket) => (socket.server ? 'answer' : 'tell a program'));
}
