/** Attacks on the door of a server, at their real sizes, with the honest players beside them: `docs/reliability.md`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import { systemClock } from "wirewalk/net";
import { connectTcp } from "wirewalk/node";
import { protocols } from "wirewalk/protocols";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { parseOptions } from "./options.ts";

const usage = `node -C wirewalk-source tools/admission.ts [--server FILE] [--seconds N] [attack ...]

Starts a server in a process of its own, attacks it, and prints what honest players noticed. Attacks:

  silent-osrs     2,047 connections to osrs that send nothing
  silent-sockets  11,000 connections to one game that send nothing
  guess-one       300 connections that guess the password of one name
  guess-many      300 connections that guess the passwords of 300 names

  --server FILE   packages/cli/bin/wirewalk.js of the server to attack, default this workspace's
  --seconds N     how long passwords are guessed, default 15
  --help          prints this`;

const { values, positionals } = parseOptions(usage, {
  allowPositionals: true,
  options: {
    server: { type: "string", default: fileURLToPath(new URL("../packages/cli/bin/wirewalk.js", import.meta.url)) },
    seconds: { type: "string", default: "15" },
    help: { type: "boolean", default: false },
  },
});
const seconds = Number(values.seconds);

const attacks: Readonly<Record<string, () => Promise<void>>> = {
  "silent-osrs": () => silent("osrs", 2_047, [0, 50]),
  "silent-sockets": () => silent("slime-online-2", 11_000, [0, 50]),
  "guess-one": () => guess(1),
  "guess-many": () => guess(300),
};
const chosen = positionals.length === 0 ? Object.keys(attacks) : positionals;
if (chosen.some((name) => attacks[name] === undefined) || !(seconds > 0)) {
  console.log(usage);
  process.exit(2);
}

interface Attacked {
  readonly process: ChildProcess;
  /** TCP ports by game. */
  readonly ports: ReadonlyMap<string, number>;
  readonly web: string;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A server of all games, on ports of its own. */
async function startServer(...flags: string[]): Promise<Attacked> {
  const listens = Object.keys(protocols).flatMap((name) => ["--listen", `${name}=0`]);
  const args = [values.server, "serve", "--http", "0", "--log-level", "silent", ...listens, ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => {
    output += String(bytes);
  });
  while (!output.includes("http://")) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${output}`);
    await sleep(20);
  }
  const ports = new Map(
    Object.values(protocols).map(({ name, title }) => {
      const port = new RegExp(`^${title}[^\\n]*\\n +TCP +\\S+:(\\d+)`, "m").exec(output)?.[1];
      return [name, Number(port)];
    }),
  );
  return { process: child, ports, web: /http:\/\/[^/\s]+/.exec(output)?.[0] ?? "" };
}

async function stop({ process: child }: Attacked): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** A value of the server's metrics, or undefined when they cannot be read. */
async function metric(web: string, name: string): Promise<number | undefined> {
  try {
    const text = await (await fetch(`${web}/metrics`, { signal: AbortSignal.timeout(5_000) })).text();
    const value = text.split("\n").find((line) => line.startsWith(`${name} `));
    return value === undefined ? undefined : Number(value.slice(name.length));
  } catch {
    return undefined;
  }
}

async function openSilent(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const open = async (): Promise<void> => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => {});
    socket.resume();
    await Promise.race([once(socket, "connect").catch(() => {}), once(socket, "close")]);
  };
  for (let opened = 0; opened < count; opened += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - opened) }, open));
  }
  return sockets;
}

/** Whether a bot of the game plays for two seconds. */
async function plays(game: string, port: number): Promise<boolean> {
  const protocol = Object.values(protocols).find(({ name }) => name === game);
  if (protocol === undefined) throw new RangeError(`There is no game ${game}`);
  const dialect = protocol.dialects.some(({ name }) => name === "documented") ? "documented" : protocol.defaultDialect;
  try {
    const transport = await connectTcp({ host: "127.0.0.1", port });
    const bot = protocol.bots.create({ dialect, random: createRandom(7), number: 0, cheat: "none" });
    const run = runBot({ protocol, dialect, transport, bot, clock: systemClock });
    await sleep(2_000);
    const isPlaying = run.closed === undefined;
    run.stop();
    return isPlaying;
  } catch {
    return false;
  }
}

/** Silent connections to one game; then honest players of every game, at these seconds. */
async function silent(game: string, count: number, at: readonly number[]): Promise<void> {
  const server = await startServer(...Object.keys(protocols).flatMap((name) => ["--dialect", `${name}=documented`]));
  const startMs = performance.now();
  const sockets = await openSilent(server.ports.get(game) ?? 0, count);
  const tookMs = performance.now() - startMs;
  console.log(`${count} silent connections to ${game}, opened in ${(tookMs / 1000).toFixed(1)} s`);
  for (const second of at) {
    await sleep(Math.max(0, second * 1000 - (performance.now() - startMs - tookMs)));
    const open = sockets.filter(({ destroyed }) => !destroyed).length;
    const players = await metric(server.web, `wirewalk_players{protocol="${game}"}`);
    const games = [...server.ports];
    const outcomes = await Promise.all(games.map(([name, port]) => plays(name, port)));
    const results = games.map(([name], index) => `${name} ${outcomes[index] ? "plays" : "REFUSED"}`);
    console.log(
      `  after ${second} s: ${open} still open, ${players ?? "?"} players; an honest player: ${results.join(", ")}`,
    );
  }
  for (const socket of sockets) socket.destroy();
  await stop(server);
}

/** One login of `v0106`: how it ended, and after how long. */
async function logIn(
  port: number,
  { user, password, localAddress }: { readonly user: string; readonly password: string; readonly localAddress: string },
): Promise<{ readonly outcome: string; readonly ms: number }> {
  const startMs = performance.now();
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  const channel = slimeOnline2.openChannel({ side: "client", dialect: "v0106", carrier: "stream" });
  const outcome = await new Promise<string>((resolve) => {
    socket.setTimeout(30_000, () => resolve("timeout"));
    socket.on("error", () => {});
    socket.on("close", () => resolve("closed"));
    socket.on("connect", () => {
      socket.write(channel.write({ message: "login", value: { version: "0.106", user, password, mac: "" } }));
    });
    socket.on("data", (bytes) => {
      channel.push(bytes);
      for (let received = channel.next(); received !== undefined; received = channel.next()) {
        if (received.message?.message === "login") resolve(received.message.value.result);
      }
    });
  });
  socket.destroy();
  return { outcome, ms: performance.now() - startMs };
}

/** 300 connections that guess passwords, and honest logins: of another address, and of the guessers' own. */
async function guess(names: number): Promise<void> {
  const server = await startServer("--dialect", "slime-online-2=v0106");
  const port = server.ports.get("slime-online-2") ?? 0;
  const victims = Array.from({ length: names }, (_, index) => `victim${index}`);
  const honest = { "another address": "127.0.0.2", "the guessers' address": "127.0.0.1" };
  for (const [index, user] of victims.entries()) {
    await logIn(port, { user, password: "secret", localAddress: `127.0.1.${1 + (index % 250)}` });
  }
  for (const [index, localAddress] of Object.values(honest).entries()) {
    await logIn(port, { user: `honest${index}`, password: "secret", localAddress });
  }
  let isOver = false;
  const ends = new Map<string, number>();
  const guessers = Array.from({ length: 300 }, async (_, index) => {
    const user = victims[index % names] ?? "";
    while (!isOver) {
      const { outcome } = await logIn(port, { user, password: "guess", localAddress: "127.0.0.1" });
      if (!isOver) ends.set(outcome, (ends.get(outcome) ?? 0) + 1);
      await sleep(200);
    }
  });
  await sleep(1_000);
  const endMs = performance.now() + seconds * 1_000;
  const players = Object.entries(honest).flatMap(([what, localAddress], index) => [
    play(`known name, ${what}`, () => ({ user: `honest${index}`, localAddress })),
    play(`new name, ${what}`, (number) => ({ user: `new${index}-${number}`, localAddress })),
  ]);
  async function play(
    what: string,
    login: (number: number) => { readonly user: string; readonly localAddress: string },
  ): Promise<string> {
    const times: number[] = [];
    let failed = 0;
    for (let number = 0; performance.now() < endMs; number += 1) {
      const { outcome, ms } = await logIn(port, { ...login(number), password: "secret" });
      if (outcome === "success") times.push(ms);
      else failed += 1;
      await sleep(250);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): string =>
      `${Math.round(times[Math.floor(share * (times.length - 1))] ?? Number.NaN)} ms`;
    return `${what}: ${times.length} logins, median ${at(0.5)}, worst ${at(1)}; ${failed} failed`;
  }
  const results = await Promise.all(players);
  isOver = true;
  const guesses = [...ends].map(([outcome, count]) => `${count} x ${outcome}`).join(", ");
  console.log(`300 connections that guess the passwords of ${names} names for ${seconds} s: ${guesses}`);
  for (const result of results) console.log(`  ${result}`);
  await stop(server);
  await Promise.all(guessers);
}

for (const name of chosen) await attacks[name]?.();
