/** `wirewalk serve --policy GAME.RULE=ACTION,...`: what follows when verdicts about an account add up. */
import type { Policies, Policy } from "@wirewalk/server";
import { type Protocol, replacedBy } from "wirewalk/protocol";
import { type CommandContext, UsageError } from "../context.ts";
import { suggest } from "../input/nearest.ts";
import { durationOf } from "../input/numbers.ts";
import { chooseProtocol } from "../input/streams.ts";

/** What the world does with the message itself: the other words are what follows when verdicts add up. */
const responses: ReadonlySet<string> = new Set(["correct", "drop", "relay"]);

/** What may follow the action, and which number of a policy it is. */
const KEYS: Readonly<Record<string, "limit" | "halfLifeMs" | "banMs">> = {
  limit: "limit",
  "half-life": "halfLifeMs",
  for: "banMs",
};

/** A world whose policies are chosen. */
export interface PolicyWorld {
  readonly name: string;
  readonly game: Protocol;
  /** In the config file: `{ "teleport": "kick,limit=20" }`. */
  readonly config?: { readonly policies?: Readonly<Record<string, string>> };
}

/**
 * Policies by world. Those of a game hold for all of its worlds; for each rule those of the world in the config file win over them, and
 * over both what `--policy` says of the world. Throws `UsageError` for what cannot be read; the server checks actions and bounds.
 */
export function choosePolicies<W extends PolicyWorld>(
  context: CommandContext,
  worlds: readonly W[],
  given: readonly string[] = [],
): (world: W) => Policies | undefined {
  const { byGame, byWorld } = parsePolicies(context, worlds, given);
  return ({ name, game, config }) => {
    const ofFile = policiesOfFile(game, config?.policies ?? {});
    const chosen = { ...byGame.get(game.name), ...ofFile, ...byWorld.get(name) };
    return Object.keys(chosen).length === 0 ? undefined : chosen;
  };
}

/** Policies as a file has them for a world. Throws `UsageError`. */
export function policiesOfFile(game: Protocol, given: Readonly<Record<string, string>>): Policies {
  return Object.fromEntries(
    Object.entries(given).map(([rule, text]) => {
      checkRule(game, rule, rule);
      return [rule, policyOf(`${rule}: ${text}`, text)];
    }),
  );
}

type PolicyRecords = Map<string, Record<string, Partial<Policy>>>;

function parsePolicies(
  context: CommandContext,
  worlds: readonly PolicyWorld[],
  given: readonly string[],
): { readonly byGame: PolicyRecords; readonly byWorld: PolicyRecords } {
  const byGame: PolicyRecords = new Map();
  const byWorld: PolicyRecords = new Map();
  for (const text of given) {
    const [, name = "", rule = "", rest = ""] = /^([^.=]+)\.([^=]+)=(.+)$/.exec(text) ?? [];
    if (rest === "") {
      throw new UsageError(
        `--policy ${text} is not as slime-online-2.teleport=kick,limit=20 (* for all rules of a game)`,
      );
    }
    // The first world of a game may have its name, which stands for all of them.
    const world = Object.hasOwn(context.protocols, name) ? undefined : worlds.find((each) => each.name === name);
    const game = world?.game ?? chooseProtocol(context, name);
    checkRule(game, rule, `--policy ${text}`);
    const byName = world === undefined ? byGame : byWorld;
    const policies = byName.get(name) ?? {};
    byName.set(name, policies);
    if (policies[rule] !== undefined) throw new UsageError(`--policy is given twice for ${name}.${rule}`);
    policies[rule] = policyOf(`--policy ${text}`, rest);
  }
  return { byGame, byWorld };
}

function checkRule({ name, capabilities }: Protocol, rule: string, given: string): void {
  const known = capabilities?.rules;
  if (rule === "*" || known === undefined || known.includes(rule)) return;
  throw new UsageError(
    `${given}: ${name} has no rule ${rule}${replacedBy(capabilities?.renamed, "rules", rule) ?? suggest(rule, known)}`,
  );
}

function policyOf(given: string, text: string): Partial<Policy> {
  const [words = "", ...numbers] = text.split(",");
  const policy: { action?: string; response?: string; limit?: number; halfLifeMs?: number; banMs?: number } = {};
  for (const word of words.split("+")) policy[responses.has(word) ? "response" : "action"] = word;
  for (const each of numbers) {
    const [name = "", value = ""] = each.split("=", 2);
    const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
    if (key === undefined) {
      throw new UsageError(`${given}: ${name} is unknown; known are ${Object.keys(KEYS).join(", ")}`);
    }
    const number = key === "limit" ? Number(value) : durationOf(value);
    if (value === "" || Number.isNaN(number)) {
      const what = key === "limit" ? "a number of points" : "a time such as 90s, 30m, 6h or 7d";
      throw new UsageError(`${given}: ${name} must be ${what}`);
    }
    policy[key] = number;
  }
  // The server refuses an unknown action, and a response that the game does not have.
  return policy as Partial<Policy>;
}

/** Policies as the config file has them for a world. */
export function policyTexts(policies: Policies): Record<string, string> {
  return Object.fromEntries(
    Object.entries(policies).map(([rule, { response, action, limit, halfLifeMs, banMs }]) => {
      const words = [response, action].filter((word) => word !== undefined).join("+");
      const numbers = [
        ...(limit === undefined ? [] : [`limit=${limit}`]),
        ...(halfLifeMs === undefined ? [] : [`half-life=${halfLifeMs}ms`]),
        ...(banMs === undefined ? [] : [`for=${banMs}ms`]),
      ];
      return [rule, [words, ...numbers].join(",")];
    }),
  );
}
