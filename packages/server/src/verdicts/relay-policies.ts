/**
 * **Policies of a relay**, in the grammar of a server: what happens to a message in which a rule of the shadow world finds something (`relay`
 * or `drop`), and what follows when the verdicts about a client add up (`log`, `tell`, `kick`). A relay has no bans, and sends no
 * corrections: only the server can do both.
 *
 * Scores are those of a server's ledger, in memory: by login where the server has taken one, else by connection. An address is nobody's
 * account here, since many players may share one.
 */
import type { PlayerId, Verdict } from "wirewalk/motion";
import { type Clock, memoryStore } from "wirewalk/net";
import { checkResponses, type Protocol, type Responses } from "wirewalk/protocol";
import { BanClock } from "../bans/ban-clock.ts";
import { type BanKey, loginKey, sessionKey } from "../bans/ban-key.ts";
import { Ledger, type Penalty } from "../bans/ledger.ts";
import { checkPolicies, type Policies, responsesOf } from "../bans/policies.ts";

export interface RelayPoliciesOptions {
  readonly protocol: Protocol;
  readonly policies: Policies;
  readonly clock: Clock;
  readonly epochNow: () => number;
}

/** Throws `RangeError` for what a relay of this game cannot do. */
export function checkRelayPolicies({ name, capabilities }: Protocol, policies: Policies): void {
  checkPolicies(name, policies, capabilities?.rules, capabilities?.renamed);
  for (const [rule, { action, response }] of Object.entries(policies)) {
    const of = `The policy of ${name}.${rule}`;
    if (action === "ban") throw new RangeError(`${of}: a relay has no bans, only log, tell and kick`);
    if (response === "correct") {
      throw new RangeError(`${of}: a relay cannot correct a client, only relay or drop its message`);
    }
    if (response === "drop" && capabilities?.judgesWhenPlayed === true) {
      throw new RangeError(
        `${of}: a relay cannot drop messages of ${name}, which are judged when they are played, after they have passed`,
      );
    }
  }
  checkResponses(name, responsesOf(policies) ?? {}, capabilities?.responses ?? {}, capabilities?.renamed);
}

export class RelayPolicies {
  /** Rules whose messages are held back, for the shadow world: it must not believe what the server never sees. */
  readonly responses: Responses | undefined;
  readonly #protocol: string;
  readonly #ledger: Ledger;

  /** Throws like {@link checkRelayPolicies}. */
  constructor({ protocol, policies, clock, epochNow }: RelayPoliciesOptions) {
    checkRelayPolicies(protocol, policies);
    const { name, capabilities } = protocol;
    const dropped = Object.entries(responsesOf(policies) ?? {}).filter(([, response]) => response === "drop");
    this.responses = dropped.length === 0 ? undefined : Object.fromEntries(dropped);
    this.#protocol = name;
    const store = memoryStore();
    const own = checkPolicies(name, policies, capabilities?.rules, capabilities?.renamed);
    const worlds = new Map([[name, { protocol: name, policies: own }]]);
    this.#ledger = new Ledger(store, new BanClock(store, clock, epochNow), worlds);
  }

  /** Whether the message of a verdict is not passed on. */
  holdsBack({ rule, kind }: Verdict): boolean {
    return kind === "reject" && this.responses?.[rule] === "drop";
  }

  /** What follows from a verdict. `login` is a name that the server has taken. */
  add(connection: PlayerId, login: string | undefined, verdict: Verdict): Penalty | undefined {
    return this.#ledger.add({ name: this.#protocol, protocol: this.#protocol }, keyOf(connection, login), verdict);
  }

  left(connection: PlayerId): void {
    this.#ledger.forget(this.#protocol, keyOf(connection, undefined));
  }
}

/** Whose verdicts add up. */
export function keyOf(connection: PlayerId, login: string | undefined): BanKey {
  return login === undefined ? sessionKey(connection) : loginKey(login);
}
