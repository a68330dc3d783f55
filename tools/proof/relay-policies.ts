/** What each policy of a relay does before our own servers, of every game and dialect: `npm run proof -- relay-policies`. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listVerdicts } from "@wirewalk/recording";
import { readRecordingFile } from "@wirewalk/recording/node";
import { dryRun, type Policies, type RelayEvent, startRelay, startServer } from "@wirewalk/server";
import { runBot } from "wirewalk/client";
import { createRandom } from "wirewalk/motion";
import { systemClock } from "wirewalk/net";
import { connectTcp } from "wirewalk/node";
import type { PlayableProtocol, ServedProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { checkKnown, checkWhole, parseOptions } from "../options.ts";

const games = Object.keys(protocols);

const usage = `npm run proof -- relay-policies [--game LIST] [--seconds N] [--seed N]

A bot that cheats plays through a relay before one of our servers, which only logs: for every dialect once with each policy (log, tell, kick, and drop
of all rules for which it can be chosen). Prints what the client sent, what the server's world received, what the relay found and did, and what a
dry run of the same policy says of the relay's own recording. Where a policy is refused at the start, the table has the reason.

  --game LIST  some of these, with commas; default: all of ${games.join(", ")}
  --seconds N  of play, default 12
  --seed N     default 1
  --help       prints this

The exit code is 1 where a relay did what its policy does not say, could not read on, or a dry run counts otherwise.`;

/** A cheat that is found within seconds. */
const cheatOf: Readonly<Record<string, string>> = {
  "slime-online-2": "teleport",
  osrs: "linear",
  maplestory: "speed-5",
  "scrap-mechanic": "pitch",
};

const LIMIT = 4;
/** Rules about strokes of a mouse need so many times as long. */
const STROKES = 5;
/** Behind the end of play: what is on its way is read, judged and recorded. */
const SETTLE_MS = 500;

function policiesOf(protocol: PlayableProtocol): Readonly<Record<string, Policies>> {
  const rules = Object.keys(protocol.capabilities?.responses ?? {});
  const drop = { response: "drop" } as const;
  return {
    log: { "*": { action: "log", limit: LIMIT } },
    tell: { "*": { action: "tell", limit: LIMIT } },
    kick: { "*": { action: "kick", limit: LIMIT } },
    // Where nothing can be chosen, one rule says why.
    drop: Object.fromEntries((rules.length > 0 ? rules : ["*"]).map((rule) => [rule, drop])),
  };
}

interface Seen {
  readonly sent: number;
  readonly arrived: number;
  readonly verdicts: number;
  /** By what the relay did. */
  readonly done: Readonly<Record<string, number>>;
  readonly dry: Readonly<Record<string, number>>;
  /** What the client says of its end; undefined while it plays. */
  readonly closed: string | undefined;
  /** Directions that could not be read any further, and messages that could not be read. */
  readonly lost: readonly string[];
}

function countBy(actions: readonly { readonly action: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { action } of actions) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

async function play(
  protocol: PlayableProtocol,
  dialect: string,
  policies: Policies,
  { seconds, seed }: { readonly seconds: number; readonly seed: number },
): Promise<Seen> {
  let arrived = 0;
  const watched: PlayableProtocol = {
    ...protocol,
    createWorld: (options) => {
      const world = protocol.createWorld(options);
      const receive = world.receive.bind(world);
      world.receive = (player, message, payload, nowMs) => {
        arrived += 1;
        receive(player, message, payload, nowMs);
      };
      return world;
    },
  };
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-policies-"));
  const server = await startServer({
    listeners: [{ protocol: watched, dialect, port: 0 }],
    demo: true,
    registration: "open",
    enforcement: "log",
  });
  const events: RelayEvent[] = [];
  try {
    const relay = await startRelay({
      protocol: protocol as ServedProtocol,
      dialect,
      options: {},
      listen: { host: "127.0.0.1", port: 0 },
      to: { host: "127.0.0.1", port: server.listeners[0]?.port ?? 0 },
      clock: systemClock,
      epochMs: Date.now,
      onEvent: (event) => void events.push(event),
      shadow: { seed: 1, demo: true },
      recording: { folder },
      policies,
    });
    let closed: string | undefined;
    try {
      const bot = protocol.bots.create({
        dialect,
        random: createRandom(seed),
        number: 0,
        cheat: cheatOf[protocol.name] ?? "none",
      });
      const transport = await connectTcp({ host: relay.address.host, port: relay.address.port });
      const run = runBot({ protocol, dialect, transport, bot, clock: systemClock });
      const playedMs = seconds * 1000 * (protocol.name === "osrs" ? STROKES : 1);
      await new Promise((resolve) => setTimeout(resolve, playedMs));
      ({ closed } = run);
      run.stop();
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      await relay.close();
      const files = readdirSync(folder)
        .filter((name) => name.endsWith(".mcap"))
        .sort();
      const verdicts = (await Promise.all(files.map((name) => readRecordingFile(join(folder, name))))).flatMap(
        (each) => [...listVerdicts(each)],
      );
      const found = events.flatMap((event) =>
        event.event === "verdict" && event.verdict.kind !== "benign" ? [event] : [],
      );
      const done = events.flatMap((event) => (event.event === "policy" ? [event] : []));
      return {
        sent: run.counts.messagesOut,
        arrived,
        verdicts: found.length,
        done: countBy(done),
        dry: countBy(dryRun(protocol, policies, verdicts)),
        closed,
        lost: events.flatMap((event) => {
          if (event.event === "unreadable") return [`unreadable: ${event.error.message}`];
          return event.event === "lost" || event.event === "unjudged" ? [`${event.event}: ${event.reason}`] : [];
        }),
      };
    } finally {
      await relay.close();
    }
  } finally {
    await server.close({ graceMs: 0 });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is wrong with it, as words. */
function problemsOf(policy: string, { arrived, verdicts, done, dry, closed, lost }: Seen): readonly string[] {
  const problems = [...lost];
  if (verdicts === 0) problems.push("the cheat was not found");
  if (arrived === 0) problems.push("nothing arrived");
  const other = Object.keys(done).filter((action) => action !== policy);
  if (other.length > 0) problems.push(`it did ${other.join(", ")}`);
  if (policy !== "log" && done[policy] === undefined) problems.push("it did nothing");
  if ((closed !== undefined) !== (policy === "kick"))
    problems.push(closed === undefined ? "the client plays on" : `the client was closed: ${closed}`);
  const [live = 0, told = 0] = policy === "log" ? [0, Object.keys(dry).length] : [done[policy], dry[policy]];
  if (live !== told) problems.push(`a dry run counts ${told}`);
  return problems;
}

const widths = [36, 6, 7, 8, 9, 6, 6, 34];
const line = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell, at) => String(cell).padEnd(widths[at] ?? 0))
    .join(" ")
    .trimEnd();

/** The command. `args`: what stands behind its subject. */
export async function proveRelayPolicies(args: readonly string[]): Promise<void> {
  const { values } = parseOptions(usage, {
    args: [...args],
    options: {
      game: { type: "string", default: games.join(",") },
      seconds: { type: "string", default: "12" },
      seed: { type: "string", default: "1" },
      help: { type: "boolean" },
    },
  });
  checkWhole(values, ["seconds", "seed"]);
  checkKnown("game", values.game, games);
  const of = { seconds: Number(values.seconds), seed: Number(values.seed) };
  let wrong = 0;
  console.log(line(["game, dialect", "policy", "sent", "arrived", "verdicts", "live", "dry", "the client"]));
  for (const game of values.game.split(",")) {
    const protocol = protocols[game] as PlayableProtocol;
    const lines = protocol.dialects.flatMap(({ name: dialect }) =>
      Object.entries(policiesOf(protocol)).map(async ([policy, policies]) => {
        const cells = [`${game}, ${dialect}`, policy];
        try {
          const seen = await play(protocol, dialect, policies, of);
          const { sent, arrived, verdicts, done, dry, closed } = seen;
          const counts = [sent, arrived, verdicts, done[policy] ?? 0, dry[policy] ?? 0, closed ?? "plays on"];
          const problems = problemsOf(policy, seen);
          return { text: line([...cells, ...counts]), problems };
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          return { text: line([...cells, `refused: ${error.message}`]), problems: [] };
        }
      }),
    );
    for (const { text, problems } of await Promise.all(lines)) {
      console.log(problems.length === 0 ? text : `${text} WRONG: ${problems.join("; ")}`);
      if (problems.length > 0) wrong += 1;
    }
  }
  console.log(wrong === 0 ? "\nall as the policies say" : `\n${wrong} WRONG`);
  process.exitCode = wrong === 0 ? 0 : 1;
}
