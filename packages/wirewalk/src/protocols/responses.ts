/** What a world does with a message in which a rule finds something, where an installation chooses it. */
import type { VerdictKind } from "../motion/index.ts";
import { type Renamed, replacedBy } from "./renamed.ts";

/**
 * - `relay`: the message is applied and relayed; the verdict is a `flag`.
 * - `correct`: it is refused, and the client is put back and told; where it cannot be, the rule's own answer stays.
 * - `drop`: it is refused, and nothing is sent; the verdict is a `reject`.
 */
export type Response = "relay" | "correct" | "drop";

/** Responses by rule, instead of what the rules say themselves. */
export type Responses = Readonly<Record<string, Response>>;

/** By rule, which responses a world is able to give. */
export type PossibleResponses = Readonly<Record<string, readonly Response[]>>;

const kinds: Readonly<Record<Response, VerdictKind>> = { relay: "flag", correct: "correct", drop: "reject" };

/** The kind of a verdict with a response. What honest clients do stays benign. */
export function respond(kind: VerdictKind, response: Response | undefined): VerdictKind {
  return response === undefined || kind === "accept" || kind === "benign" ? kind : kinds[response];
}

/**
 * The responses that a world gives. One that only logs gives none, but for a world beside another server: what is held back from that server
 * (`drop`) never reaches it, so that this world must not believe it either.
 */
export function givenResponses({
  enforcement,
  shadow,
  responses = {},
}: {
  readonly enforcement?: "enforce" | "log" | undefined;
  readonly shadow?: boolean | undefined;
  readonly responses?: Responses | undefined;
}): Responses {
  if (enforcement !== "log") return responses;
  if (shadow !== true) return {};
  return Object.fromEntries(Object.entries(responses).filter(([, response]) => response === "drop"));
}

/** Throws `RangeError` for a rule or a response that the game does not have. */
export function checkResponses(game: string, given: Responses, possible: PossibleResponses, renamed?: Renamed): void {
  for (const [rule, response] of Object.entries(given)) {
    const own = Object.hasOwn(possible, rule) ? possible[rule] : undefined;
    if (own === undefined) {
      const now = replacedBy(renamed, "rules", rule);
      if (now !== undefined) throw new RangeError(`${game} has no rule ${rule}${now}`);
      const others = Object.keys(possible).sort().join(", ");
      // Such as rules that look at many messages: none of them decides alone.
      const why = others === "" ? ": no single message decides in any of its rules" : `, only that to ${others}`;
      throw new RangeError(`The response of ${game} to ${rule} cannot be chosen${why}`);
    }
    if (!own.includes(response)) {
      throw new RangeError(`The response of ${game} to ${rule} must be ${own.join(" or ")}, got ${response}`);
    }
  }
}

/** Responses as an option of a saved world, whatever their order; none without any. */
export function savedResponses(responses: Responses = {}): { readonly responses?: string } {
  const chosen = Object.entries(responses).map(([rule, response]) => `${rule}=${response}`);
  return chosen.length === 0 ? {} : { responses: chosen.sort().join(" ") };
}
