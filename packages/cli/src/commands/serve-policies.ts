/** `wirewalk serve --policy GAME.RULE=ACTION,...`: what follows when verdicts about an account add up. */
import type { Policies, Policy } from "@wirewalk/server";
import { type CommandContext, UsageError } from "../context.ts";
import { suggest } from "../nearest.ts";
import { chooseProtocol } from "./streams.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What the world does with the message itself: the other words are what follows when verdicts add up. */
const responses: ReadonlySet<string> = new Set(["correct", "drop", "relay"]);

/** What may follow the action, and which number of a policy it is. */
const KEYS: Readonly<Record<string, "limit" | "halfLifeMs" | "banMs">> = {
  limit: "limit",
  "half-life": "halfLifeMs",
  for: "banMs",
};

/** Policies by game. Throws `UsageError` for what cannot be read; the server checks rules, actions and bounds. */
export function parsePolicies(context: CommandContext, given: readonly string[] = []): ReadonlyMap<string, Policies> {
  const byGame = new Map<string, Record<string, Partial<Policy>>>();
  for (const text of given) {
    const [, name = "", rule = "", rest = ""] = /^([^.=]+)\.([^=]+)=(.+)$/.exec(text) ?? [];
    if (rest === "") {
      throw new UsageError(
        `--policy ${text} is not as slime-online-2.teleport=kick,limit=20 (* for all rules of a game)`,
      );
    }
    const protocol = chooseProtocol(context, name);
    const known = protocol.capabilities.rules;
    if (rule !== "*" && known !== undefined && !known.includes(rule)) {
      throw new UsageError(`--policy ${text}: ${name} has no rule ${rule}${suggest(rule, known)}`);
    }
    const policies = byGame.get(protocol.name) ?? {};
    byGame.set(protocol.name, policies);
    if (policies[rule] !== undefined) throw new UsageError(`--policy is given twice for ${name}.${rule}`);
    policies[rule] = policyOf(text, rest);
  }
  return byGame;
}

function policyOf(given: string, text: string): Partial<Policy> {
  const [words = "", ...numbers] = text.split(",");
  const policy: { action?: string; response?: string; limit?: number; halfLifeMs?: number; banMs?: number } = {};
  for (const word of words.split("+")) policy[responses.has(word) ? "response" : "action"] = word;
  for (const each of numbers) {
    const [name = "", value = ""] = each.split("=", 2);
    const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
    if (key === undefined) {
      throw new UsageError(`--policy ${given}: ${name} is unknown; known are ${Object.keys(KEYS).join(", ")}`);
    }
    const number = key === "limit" ? Number(value) : durationOf(value);
    if (value === "" || Number.isNaN(number)) {
      const what = key === "limit" ? "a number of points" : "a time such as 90s, 30m, 6h or 7d";
      throw new UsageError(`--policy ${given}: ${name} must be ${what}`);
    }
    policy[key] = number;
  }
  // The server refuses an unknown action, and a response that the game does not have.
  return policy as Partial<Policy>;
}

function durationOf(text: string): number {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text) ?? [];
  return digits === "" || !Object.hasOwn(UNITS, unit) ? Number.NaN : Number(digits) * (UNITS[unit] ?? 0);
}
