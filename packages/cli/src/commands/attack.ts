import { constants } from "node:os";
import type { Command } from "commander";
import { requireMembers } from "wirewalk/protocol";
import { escapeControls, nearest } from "wirewalk/wire";
import type { Attack, AttackResult } from "../attacks/attack.ts";
import type { HonestThread } from "../attacks/honest-thread.ts";
import type { AttackedProtocol, Target, WebAddress } from "../attacks/target.ts";
import { type CommandContext, ExitCode, type Finish, UsageError } from "../context.ts";
import { share, wholeNumber } from "../input/numbers.ts";
import { write } from "../output/output.ts";
import { isLoopback } from "./serve-web.ts";

interface AttackFlags {
  readonly list?: true;
  readonly all?: true;
  readonly against?: string;
  readonly iOwnThisHost?: true;
  readonly seed: number;
  readonly scale: number;
  readonly json?: true;
}

const NO_FEED =
  "The feed of the page is not at this address: every game is taken to be on its own port and in its default dialect.\n";

/** Characters of a figure that are printed: it may quote the server. */
const MAX_FIGURE = 500;

const signals = ["SIGINT", "SIGTERM", "orphaned"] as const;

/** `wirewalk attack`: what a hostile peer can do, and whether the server holds. */
export function addAttack(program: Command, context: CommandContext, finish: Finish): void {
  program
    .command("attack")
    .argument("[name...]", "attacks to run (see --list)")
    .option("--list", "print the catalogue and run nothing")
    .option("--all", "run every attack")
    .option("--against <host:port>", "HTTP address of a running server (default: a server of its own)")
    .option("--i-own-this-host", "allow an address of another machine")
    .option("--seed <number>", "random seed of the attacks", wholeNumber(0, 0xffff_ffff), 1)
    .option("--scale <share>", "share of the connections and messages of each attack, as 0.1 for a short run", share, 1)
    .option("--json", "print one JSON object per attack")
    .summary("run attacks on a server and report which it withstands")
    .description(
      "Attacks a server and prints for each attack whether it held. Without --against it starts a server of its own, as " +
        "wirewalk serve does, with an empty data folder, and two honest players, who must not be affected.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk attack --list
  $ wirewalk attack websocket-ping-flood http-foreign-host
  $ wirewalk attack --all --json
  $ wirewalk attack --all --against 127.0.0.1:7400

A running server names its games and their ports in its feed; one without a feed has to have every game on its own port and in
its default dialect. Attacks that need other flags of serve name them in --list --json: start the server with these, and name
the attack.

Exit code 1 when an attack was not held, or none could be run.`,
    )
    .action((names: readonly string[], flags: AttackFlags) => attack(context, names, flags, finish));
}

async function attack(
  context: CommandContext,
  names: readonly string[],
  flags: AttackFlags,
  finish: Finish,
): Promise<void> {
  const { catalogue, catalogueTable } = await import("../attacks/catalogue.ts");
  const attacks = catalogue(context.protocols);
  if (flags.list === true) {
    const { json } = flags;
    await write(context.stdout, json === true ? attacks.map(listed).join("") : catalogueTable(attacks));
    return;
  }
  if (flags.all === true && names.length > 0) throw new UsageError("--all runs every attack: names do not go with it");
  const chosen = flags.all === true ? attacks : choose(attacks, names);
  if (chosen.length === 0) throw new UsageError("name attacks, or --all; --list prints them");
  const address = flags.against === undefined ? undefined : parseAddress(flags.against, flags.iOwnThisHost === true);
  const counts = new Map<string, number>();
  const interruption = new AbortController();
  let ending: "SIGINT" | "SIGTERM" = "SIGTERM";
  const interrupt = (signal: "SIGINT" | "SIGTERM" = "SIGTERM"): void => {
    ending = signal;
    interruption.abort();
  };
  for (const signal of signals) context.signals.on(signal, interrupt);
  try {
    for await (const result of run(context, chosen, address, flags, interruption.signal)) {
      counts.set(result.verdict, (counts.get(result.verdict) ?? 0) + 1);
      await write(context.stdout, flags.json === true ? `${JSON.stringify(result)}\n` : lineOf(result));
    }
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    // An attack that was not finished may still wait for something.
    context.exit(128 + constants.signals[ending]);
    return;
  } finally {
    for (const signal of signals) context.signals.off(signal, interrupt);
  }
  const sum = [...counts].map(([verdict, count]) => `${count} ${verdict}`).join(", ");
  if (flags.json !== true) await write(context.stdout, `${chosen.length} attacks: ${sum}\n`);
  if (counts.has("broken") || !counts.has("held")) finish(ExitCode.failed);
}

/** Throws `MissingMemberError` for a game that cannot be served or played. */
function attackedGames({ protocols }: CommandContext): Readonly<Record<string, AttackedProtocol>> {
  return Object.fromEntries(
    Object.entries(protocols).map(([name, protocol]) => [
      name,
      requireMembers(protocol, ["openChannel", "createWorld", "bots"], "be attacked"),
    ]),
  );
}

function choose(attacks: readonly Attack[], names: readonly string[]): Attack[] {
  const known = attacks.map(({ name }) => name);
  return names.map((name) => {
    const found = attacks.find((each) => each.name === name);
    if (found === undefined) {
      const near = nearest(name, known);
      const hint = near === undefined ? "`wirewalk attack --list` prints them" : `did you mean ${near}?`;
      throw new UsageError(`unknown attack '${name}'; ${hint}`);
    }
    return found;
  });
}

function listed({ name, family, summary, expectation, flags = [] }: Attack): string {
  return `${JSON.stringify({ name, family, summary, expectation, flags })}\n`;
}

function lineOf({ name, verdict, figure, honest, seconds }: AttackResult): string {
  const text = escapeControls(figure.slice(0, MAX_FIGURE));
  const noticed = honest === undefined ? "" : `; honest players: ${escapeControls(honest.slice(0, MAX_FIGURE))}`;
  return `${verdict.padEnd(7)} ${name} (${seconds.toFixed(1)} s): ${text}${noticed}\n`;
}

function parseAddress(text: string, isOwned: boolean): WebAddress {
  const [, bracketed, plain, digits = ""] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || !(port >= 1 && port <= 65_535)) {
    throw new UsageError(`--against ${text} is not a host and a port: it must look like 127.0.0.1:7400`);
  }
  if (!isLoopback(host) && !isOwned) {
    throw new UsageError(
      `${host} is not this machine: attack only servers of your own, and then with --i-own-this-host`,
    );
  }
  // Attackers have addresses of 127.0.0.0/8.
  return { host: host === "localhost" ? "127.0.0.1" : host, port };
}

/**
 * Runs attacks one after the other. Those that need the same flags share a server, until one breaks it. Throws when it is interrupted,
 * after the server and its folder are gone.
 */
async function* run(
  context: CommandContext,
  attacks: readonly Attack[],
  address: WebAddress | undefined,
  { seed, all, scale }: Pick<AttackFlags, "seed" | "all" | "scale">,
  interrupted: AbortSignal,
): AsyncGenerator<AttackResult> {
  const protocols = attackedGames(context);
  const [{ runAttack }, { runningTarget, startTarget }, { HonestThread }] = await Promise.all([
    import("../attacks/run-attack.ts"),
    import("../attacks/target.ts"),
    import("../attacks/honest-thread.ts"),
  ]);
  const interruption = new Promise<never>((_, reject) => {
    interrupted.addEventListener("abort", () => reject(interrupted.reason), { once: true });
  });
  // Where nothing waits for it, it is no error.
  interruption.catch(() => {});
  let target: Target | undefined;
  let honest: HonestThread | undefined;
  let started: string | undefined;
  const stop = async (): Promise<void> => {
    await honest?.stop();
    await target?.stop();
    honest = undefined;
    target = undefined;
  };
  try {
    for (const [index, each] of attacks.entries()) {
      const flags = (each.flags ?? []).join(" ");
      if (address !== undefined && all === true && flags !== "") {
        const figure = `it needs wirewalk serve ${flags}; name it when the server has these flags`;
        yield { name: each.name, verdict: "could not be run", figure, honest: undefined, seconds: 0 };
        continue;
      }
      if (target === undefined || (address === undefined && flags !== started)) {
        await stop();
        target =
          address === undefined
            ? await startTarget(protocols, each.flags ?? [], interrupted)
            : await runningTarget(protocols, address, () => context.stderr.write(NO_FEED));
        started = flags;
        honest = await Promise.race([HonestThread.start(target), interruption]);
        await Promise.race([honest?.play(1, 10_000), interruption]);
      }
      const options = { target, number: index + 1, seed: seed + index, scale };
      const running = runAttack(each, { ...options, ...(honest === undefined ? {} : { honest }) });
      const result = await Promise.race([running, interruption]);
      yield result;
      // The next one gets a server that nothing has happened to.
      if (result.verdict === "broken") await stop();
    }
  } finally {
    await stop();
  }
}
