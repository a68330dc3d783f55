/** Receivers of outputs, good and bad, and what asks servers for cases and dismissals: a process of its own. */
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { tell } from "../harness.ts";
import { type Asked, type Asking, type ReceiverName, type ReceiverPorts, TOKEN } from "./workload.ts";

const SLOW_MS = 10_000;
const answers: Readonly<Record<Exclude<ReceiverName, "dead" | "stuck-syslog">, RequestListener>> = {
  fine: (_request, response) => response.writeHead(204).end(),
  slow: (_request, response) => void setTimeout(() => response.writeHead(204).end(), SLOW_MS),
  silent: () => {},
  rubbish: (_request, response) => response.writeHead(200, { "content-type": "nonsense" }).end("\0".repeat(1_000)),
  year: (_request, response) => response.writeHead(429, { "retry-after": "31536000" }).end(),
  redirects: (_request, response) => response.writeHead(307, { location: "/again" }).end(),
  endless: (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
    response.on("close", () => clearInterval(timer));
  },
};

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
}

const ports: Partial<Record<ReceiverName, number>> = {};
for (const [name, answer] of Object.entries(answers)) {
  const server = createServer((request, response) => {
    request.resume();
    response.on("error", () => {});
    answer(request, response);
  });
  ports[name as ReceiverName] = await listen(server);
}
// A port that was free a moment ago.
const gone = createTcpServer();
ports.dead = await listen(gone);
gone.close();
ports["stuck-syslog"] = await listen(
  createTcpServer({ pauseOnConnect: true }, (socket) => socket.on("error", () => {})),
);

let asking: Asking | undefined;
let counts = { answered: 0, refused: 0 };
let working: Promise<void> = Promise.resolve();

/** Asks for the last verdict, and then for its case or its dismissal. */
async function ask({ http, beside }: Asking): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const at = `http://127.0.0.1:${http}`;
  const { verdicts } = (await (await fetch(`${at}/verdicts?limit=50`, { headers })).json()) as {
    readonly verdicts: readonly {
      readonly id: string;
      readonly world: string;
      readonly player: number;
      readonly atMs: number;
    }[];
  };
  // Its seconds have passed: otherwise they would be waited for.
  const last = verdicts.at(-1);
  if (last === undefined) throw new Error("no verdict");
  const { id, world, player, atMs } = last;
  const body = JSON.stringify({ action: "dismiss", by: "bench", reason: "of a benchmark" });
  const response =
    beside === "cases"
      ? await fetch(`${at}/cases/${world}/${player}/${Math.floor(atMs)}`, { headers })
      : await fetch(`${at}/verdicts/${id}/actions`, { method: "POST", headers, body });
  await response.arrayBuffer();
  if (response.ok) counts.answered += 1;
  else counts.refused += 1;
}

async function work(): Promise<void> {
  while (asking !== undefined) {
    try {
      await ask(asking);
    } catch {
      counts.refused += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

process.on("message", async (message: Asking | "stop" | "end") => {
  if (message === "end") process.exit(0);
  if (message !== "stop") {
    asking = message;
    working = work();
    return;
  }
  asking = undefined;
  await working;
  tell(counts satisfies Asked);
  counts = { answered: 0, refused: 0 };
});
process.on("disconnect", () => process.exit(0));
tell(ports as ReceiverPorts);
