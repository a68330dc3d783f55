#!/usr/bin/env node
// Starts the command: from the sources when they are here (in the workspace, before any build), else from the build.
// Plain JavaScript that an older Node can read too: the package is installed under any Node, and the message must be printed.

import { existsSync, readFileSync } from "node:fs";
import module from "node:module";

/** The first Node that reads TypeScript by itself and has `module.registerHooks`. */
const NEEDED = [22, 18];

/**
 * Below these a server's code cannot be loaded: V8 would end the process with a stack, which nothing catches. What its worlds take is
 * measured when they are there.
 */
const LEAST_HEAP_MB = 24;
const LEAST_ADDRESS_SPACE_MB = 1700;

const [major, minor] = process.versions.node.split(".").map(Number);
const isOldNode = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
const problem = isOldNode
  ? `Node ${NEEDED.join(".")} or later is needed, and this is Node ${process.versions.node}.`
  : process.argv[2] === "serve"
    ? memoryProblem()
    : undefined;
if (problem === undefined) {
  await start();
} else {
  process.stderr.write(`wirewalk: ${problem}\n`);
  process.exitCode = 1;
}

function memoryProblem() {
  const flags = [process.env.NODE_OPTIONS ?? "", ...process.execArgv].join(" ");
  const heap = [...flags.matchAll(/--max[-_]old[-_]space[-_]size[= ](\d+)/g)].at(-1)?.[1];
  if (heap !== undefined && Number(heap) < LEAST_HEAP_MB) {
    return `Cannot start with ${heap} MB of heap: --max-old-space-size must be at least ${LEAST_HEAP_MB} MB`;
  }
  const addresses = existsSync("/proc/self/limits")
    ? /^Max address space +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1]
    : undefined;
  const megabytes = addresses === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(addresses) / 2 ** 20);
  if (megabytes >= LEAST_ADDRESS_SPACE_MB) return undefined;
  return `Cannot start with ${megabytes} MB of address space: ulimit -v must be at least ${LEAST_ADDRESS_SPACE_MB} MB`;
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
