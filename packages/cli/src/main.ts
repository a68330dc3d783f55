/** The process of the command `wirewalk`, started by `bin/wirewalk.js`. */
import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { protocols } from "wirewalk/protocols";
import { onceOrphaned } from "./orphan.ts";
import { cannotWrite } from "./output.ts";
import { run } from "./program.ts";

const { version } = createRequire(import.meta.url)("../package.json") as { version: string };

// Who reads only the start of the output, as `head` does, has what was wanted.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`wirewalk: ${cannotWrite(error)}\n`);
  process.exit(1);
});

// Only there: whose shell is closed may well want a server that goes on.
if (process.env.npm_command === "exec") onceOrphaned(() => (process as EventEmitter).emit("orphaned"));

process.exitCode = await run(process.argv.slice(2), {
  protocols,
  version,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signals: process,
  exit: (code) => process.exit(code),
});
