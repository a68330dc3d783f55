/** The process of the command `wirewalk`, started by `bin/wirewalk.js`. */
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { loadProtocols } from "./input/load-protocols.ts";
import { cannotWrite } from "./output/output.ts";
import { limitHeapGrowth } from "./process/heap-growth.ts";
import { onceOrphaned } from "./process/orphan.ts";
import { run } from "./program.ts";

const { version } = createRequire(import.meta.url)("../package.json") as { version: string };

// A reader may close the output early, as `head` does: that is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`wirewalk: ${cannotWrite(error)}\n`);
  process.exit(1);
});

// Only under npx: otherwise a server may go on after its shell is closed.
if (process.env.npm_command === "exec") onceOrphaned(() => (process as EventEmitter).emit("orphaned"));

// Of the whole process, and before what it loads: so it stands here, and not in the command.
if (process.argv[2] === "inspect") limitHeapGrowth();

process.exitCode = await run(process.argv.slice(2), {
  loadProtocols,
  version,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signals: process,
  exit: (code) => process.exit(code),
});
