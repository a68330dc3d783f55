/**
 * A server in a process of its own, to be started with a low limit of open files. It prints its port; after the line `fill` it
 * opens files until none is left, after `free` it closes them. Its log goes to the standard output.
 */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { createInterface } from "node:readline";
import { pino } from "pino";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { startServer } from "../index.ts";

const held: number[] = [];
const server = await startServer({
  http: 0,
  listeners: [{ protocol: fakeProtocol, port: 0 }],
  logger: pino({ level: "info" }, pino.destination({ dest: 1, sync: true })),
});
process.stdout.write(`${JSON.stringify({ port: server.listeners[0]?.port })}\n`);
const lines = createInterface(process.stdin);
lines.on("close", () => process.exit());
lines.on("line", (line) => {
  if (line === "free") for (const file of held.splice(0)) closeSync(file);
  if (line !== "fill") return;
  try {
    for (;;) held.push(openSync(devNull, "r"));
  } catch {
    // None is left.
  }
});
