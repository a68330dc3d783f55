/**
 * What players notice when the owner of a world is killed: `npm run cluster:failover -- [--clients 40] [--kills 3]`. With `--signal SIGSTOP`
 * it stands still for ten seconds, with SIGTERM it hands over, with `--signal broker` the broker is killed instead. It starts a cluster
 * (`tools/cluster.ts`), connects clients of Slime Online 2 to the gateways of all nodes but the owner, kills the owner and counts: the longest
 * time without a message, messages that were lost, repeated or out of order, and connections that were closed. The clients write and
 * read bytes of their own, so nothing of the server's code judges itself.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findNatsServer, natsCluster, type RunningNats, startNatsServer } from "@wirewalk/nats";
import type { Cluster } from "wirewalk/net";

const GAME = "slime-online-2";
/** A key of the documented dialect: length, type 0x0800, key, x, y. */
const MESSAGE_BYTES = 9;
const STEP_MS = 200;

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "40" },
    kills: { type: "string", default: "3" },
    signal: { type: "string", default: "SIGKILL" },
    // Where the clients are: at the gateways of the other nodes, or at that of the owner.
    at: { type: "string", default: "others" },
    "broker-gone-ms": { type: "string", default: "10000" },
    "lease-ms": { type: "string", default: "2000" },
    json: { type: "boolean", default: false },
  },
});

interface Started {
  readonly nats: string;
  readonly nodes: readonly {
    readonly node: string;
    readonly pid: number;
    readonly listen: Readonly<Record<string, number>>;
  }[];
}

class Client {
  closed = false;
  /** When something came last, and the longest time between two messages since `reset`. */
  lastMs = performance.now();
  longestMs = 0;
  missing = 0;
  repeated = 0;
  received = 0;
  /** Sent, by the order of x. */
  readonly #socket: Socket;
  #x = 400;
  #input: Buffer = Buffer.alloc(0);
  readonly #seen = new Map<number, number>();

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("data", (bytes) => this.#take(bytes));
    this.#socket.on("close", () => {
      this.closed = true;
    });
    this.#socket.on("error", () => {});
  }

  step(): void {
    const bytes = Buffer.alloc(MESSAGE_BYTES);
    bytes.writeUInt16LE(7, 0);
    bytes.writeUInt16LE(0x0800, 2);
    // Right pressed and let go in turn: a key that is pressed twice is not sent on.
    bytes.writeUInt8(this.#x % 2 === 0 ? 2 : 6, 4);
    bytes.writeUInt16LE(this.#x, 5);
    bytes.writeUInt16LE(160, 7);
    this.#x += 1;
    this.#socket.write(bytes);
  }

  reset(): void {
    this.lastMs = performance.now();
    this.longestMs = 0;
    // A client that joins receives the last key of each player, and keys that it has missed before.
    this.missing = 0;
    this.repeated = 0;
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    const nowMs = performance.now();
    this.longestMs = Math.max(this.longestMs, nowMs - this.lastMs);
    this.lastMs = nowMs;
    this.#input = Buffer.concat([this.#input, bytes]);
    while (this.#input.length >= 2) {
      const length = this.#input.readUInt16LE(0);
      if (this.#input.length < 2 + length) return;
      // Type 0x0800, the sender's id, key, x, y.
      if (length === 9 && this.#input.readUInt16LE(2) === 0x0800)
        this.#move(this.#input.readUInt16LE(4), this.#input.readUInt16LE(7));
      this.#input = this.#input.subarray(2 + length);
    }
  }

  #move(id: number, x: number): void {
    this.received += 1;
    const last = this.#seen.get(id);
    if (last !== undefined && x > last + 1) this.missing += x - last - 1;
    if (last !== undefined && x <= last) this.repeated += 1;
    this.#seen.set(id, x);
  }
}

const brokers: { readonly broker: RunningNats; readonly folder: string }[] = [];
const script = fileURLToPath(new URL("cluster.ts", import.meta.url));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function start(): Promise<{ readonly child: ChildProcess; readonly cluster: Started }> {
  const flags = ["-C", "wirewalk-source", script, "--json", "--bots", "0", "--lease-ms", values["lease-ms"]];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { child, cluster: JSON.parse(String(line)) as Started };
}

async function digestOf(
  member: Cluster,
): Promise<{ readonly digest: string; readonly epoch: number; readonly node: string }> {
  const answer = await member.request(`owner.${GAME}`, new TextEncoder().encode('{"digest":true}'), 2_000);
  return JSON.parse(new TextDecoder().decode(answer)) as { digest: string; epoch: number; node: string };
}

/** Kills the broker and starts another at its port, which knows nothing. */
async function killBroker(parent: number, port: number): Promise<void> {
  const [pid] = execFileSync("pgrep", ["-P", String(parent), "-x", "nats-server"], { encoding: "utf8" }).split("\n");
  process.kill(Number(pid), "SIGKILL");
  await sleep(Number(values["broker-gone-ms"]));
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-broker-"));
  brokers.push({ broker: await startNatsServer({ program: findNatsServer() ?? "", folder, port }), folder });
  await sleep(2_000);
}

async function kill(): Promise<Readonly<Record<string, number>>> {
  const { child, cluster } = await start();
  const member = await natsCluster({ url: cluster.nats, name: "measure", info: { isObserver: true } });
  try {
    const before = await digestOf(member);
    const owner = cluster.nodes.find(({ node }) => node === before.node);
    const gateways = cluster.nodes.filter(({ node }) => (node === before.node) === (values.at === "owner"));
    if (owner === undefined) throw new Error("no owner");
    const clients = Array.from({ length: Number(values.clients) }, (_, n) => {
      return new Client(gateways[n % gateways.length]?.listen[GAME] ?? 0);
    });
    let turn = 0;
    // Spread over a step.
    const timer = setInterval(() => {
      const per = Math.ceil(clients.length / 10);
      for (const client of clients.slice((turn % 10) * per, ((turn % 10) + 1) * per)) client.step();
      turn += 1;
    }, STEP_MS / 10);
    await sleep(3_000);
    for (const client of clients) client.reset();
    await sleep(1_000);
    const usualMs = Math.max(...clients.map(({ longestMs }) => longestMs));
    for (const client of clients) client.reset();
    if (values.signal === "broker") await killBroker(child.pid ?? 0, Number(new URL(cluster.nats).port));
    else process.kill(owner.pid, values.signal as NodeJS.Signals);
    if (values.signal === "SIGSTOP") {
      await sleep(10_000);
      process.kill(owner.pid, "SIGCONT");
    }
    await sleep(3_000);
    clearInterval(timer);
    await sleep(500);
    const after = await digestOf(member);
    const sum = (of: (client: Client) => number): number => clients.reduce((all, client) => all + of(client), 0);
    for (const client of clients) client.end();
    return {
      usualMs: Math.round(usualMs),
      outageMs: Math.round(Math.max(...clients.map(({ longestMs }) => longestMs))),
      received: sum(({ received }) => received),
      missing: sum(({ missing }) => missing),
      repeated: sum(({ repeated }) => repeated),
      closed: clients.filter(({ closed }) => closed).length,
      epochBefore: before.epoch,
      epochAfter: after.epoch,
      movedToAnother: after.node === before.node ? 0 : 1,
    };
  } finally {
    await member.close();
    child.kill("SIGTERM");
    await once(child, "exit");
    for (const { broker, folder } of brokers.splice(0)) {
      await broker.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

const results = [];
for (let n = 0; n < Number(values.kills); n += 1) {
  const result = await kill();
  results.push(result);
  console.log(JSON.stringify(result));
}
const outages = results.map(({ outageMs = 0 }) => outageMs).sort((a, b) => a - b);
console.log(JSON.stringify({ outageP50Ms: outages[outages.length >> 1], outageMaxMs: outages.at(-1) }));
