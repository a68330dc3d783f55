#!/usr/bin/env node
// Starts the command: from the sources when they are here (in the workspace, before any build), else from the build.
// Plain JavaScript that an older Node can read too: that one hands over to the Node of the package "node".

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module, { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** The first Node that reads TypeScript by itself and has `module.registerHooks`. */
const NEEDED = [22, 18];

/** Tells the newer Node that the channel to its parent is ours. */
const HANDED_OVER = "WIREWALK_HANDED_OVER";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) await start();
else handOver();

async function start() {
  // Handed over to by an older Node that is gone without a word: whoever killed it meant the command, and a server that
  // stayed would keep its ports. That Node holds the other end of the channel; it alone keeps nobody running.
  if (process.env[HANDED_OVER] !== undefined) {
    delete process.env[HANDED_OVER];
    process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
    process.channel?.unref();
  }
  // Compiled code is kept in the folder for temporary files, or in NODE_COMPILE_CACHE: half of the time to start.
  module.enableCompileCache();
  const source = new URL("../src/main.ts", import.meta.url);
  if (!existsSync(source)) {
    await import("../dist/main.js");
    return;
  }
  // Every package of the workspace exports its sources under this condition.
  module.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "wirewalk-source"] }),
  });
  await import(source.href);
}

function handOver() {
  let node;
  try {
    node = createRequire(import.meta.url).resolve("node/bin/node");
  } catch {
    return fail('the package "node", which brings a newer one, is missing or was installed without its script');
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, [HANDED_OVER]: "1" },
  });
  child.on("error", (error) => fail(`the one of the package "node" does not start (${error.message})`));

  // The command decides what a signal means; a key press reaches it twice, which it knows.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(why) {
  process.stderr.write(
    `wirewalk: Node ${NEEDED.join(".")} or newer is needed, this is ${process.versions.node}, and ${why}. ` +
      'Run "npm rebuild node", or start wirewalk with a newer Node.\n',
  );
  process.exitCode = 1;
}
