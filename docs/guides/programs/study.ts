/**
 * Studies a real client and a real server of Slime Online 2: `node study.ts 127.0.0.1:5555 5556`. Then point the client at port 5556.
 * More arguments are the command of Wirewalk; default: npx wirewalk.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The lines of `wirewalk relay --json` that are used here. */
interface Line {
  readonly event?: string;
  readonly connection?: number;
  readonly direction?: "client" | "server";
  readonly message?: string;
  readonly value?: { readonly direction?: string; readonly x?: number; readonly y?: number };
  readonly error?: { readonly text: string };
  readonly verdict?: { readonly kind: string; readonly rule: string };
}

const [to = "127.0.0.1:5555", listen = "5556", program = "npx", ...args] = process.argv.slice(2);
const command = args.length > 0 ? args : ["wirewalk"];
const flags = ["--listen", listen, "--to", to, "--json", "--capture", process.env.CAPTURE ?? "session.pcapng"];
const relay = spawn(program, [...command, "relay", "slime-online-2", ...flags], {
  stdio: ["ignore", "pipe", "inherit"],
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => relay.kill(signal));

/** How often each message passed, by sender. */
const counts = new Map<string, number>();

for await (const text of createInterface({ input: relay.stdout })) {
  const line: Line = JSON.parse(text);
  const { connection, direction, message, value } = line;
  if (line.event === "listening") console.log(text);
  else if (message !== undefined) {
    const name = `${direction} ${message}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (name === "client movePlayer") console.log(`${connection}: ${value?.direction} at ${value?.x}, ${value?.y}`);
  } else if (line.error !== undefined) console.log(`${connection}: ${direction} unreadable: ${line.error.text}`);
  else if (line.verdict !== undefined) console.log(`${connection}: ${line.verdict.kind} by ${line.verdict.rule}`);
  else if (line.event === "close") console.log(`${connection}: closed`);
}
console.log(Object.fromEntries(counts));
