#!/usr/bin/env node
// Starts the command: from the sources when they are here (in the workspace, before any build), else from the build.
// Plain JavaScript that an older Node can read too: the package is installed under any Node, and the message must be printed.

import { existsSync } from "node:fs";
import module from "node:module";

/** The first Node that reads TypeScript by itself and has `module.registerHooks`. */
const NEEDED = [22, 18];

const [major, minor] = process.versions.node.split(".").map(Number);
if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  await start();
} else {
  process.stderr.write(
    `wirewalk: Node ${NEEDED.join(".")} or later is needed, and this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
}

async function start() {
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
