/** A verdict as operators see it, of a running server, a relay or a recording, with what was done about it. */
import { type CaseAction, shareOf } from "@wirewalk/recording";
import type { PlayerId } from "wirewalk/motion";
import { banKind } from "../bans/ban-key.ts";
import type { NamedBookedVerdict } from "./verdict-book.ts";

export const verdictActions = ["note", "dismiss", "warn", "kick", "ban", "lift"] as const;

export type VerdictActionName = (typeof verdictActions)[number];

/** An action as it is kept. */
export interface KeptAction {
  readonly action: VerdictActionName;
  readonly by: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** `failed`: nothing was done, and `detail` says why. */
  readonly result: "done" | "failed";
  /** What was done beside what the name says: until when a ban holds, which file has the recording. */
  readonly detail: string | null;
}

/** A verdict as operators see it. Without the address or login that a ban of its player would apply to. */
export interface ShownVerdict {
  readonly id: string;
  readonly world: string;
  readonly protocol: string;
  readonly kind: string;
  readonly rule: string;
  readonly reason: string;
  readonly player: PlayerId;
  /** The name that other players saw. */
  readonly name: string;
  readonly room: string;
  /** Of the world's clock. */
  readonly atMs: number;
  /** Since 1970. */
  readonly epochMs: number;
  readonly measured: number | null;
  readonly allowed: number | null;
  readonly unit: string | null;
  /** Measured divided by allowed. */
  readonly share: number | null;
  /** What a ban of its player would apply to: a login, an address, or no more than its session. */
  readonly holdsOn: "login" | "address" | "session";
  readonly actions: readonly KeptAction[];
}

/** Why a verdict is not found, or an action not done; nothing is kept of it. */
export class ActionRefusal extends Error {
  override readonly name = "ActionRefusal";
  readonly why: "unknown" | "ambiguous" | "invalid" | "full";

  constructor(why: ActionRefusal["why"], message: string) {
    super(message);
    this.why = why;
  }
}

/** The only one of those that were found by the beginning of an id. Throws `ActionRefusal` when there is none or several. */
export function onlyOne<T extends { readonly id: string }>(found: readonly T[], id: string): T {
  const [first, second] = found;
  if (first === undefined) {
    throw new ActionRefusal("unknown", `There is no verdict ${id} among the last ones that the server remembers`);
  }
  if (second !== undefined) {
    const ids = found.slice(0, 3).map((each) => each.id);
    throw new ActionRefusal("ambiguous", `${found.length} verdicts begin with ${id}, such as ${ids.join(", ")}`);
  }
  return first;
}

export function showVerdict(booked: NamedBookedVerdict, actions: readonly KeptAction[]): ShownVerdict {
  const { id, world, verdict, name, key, epochMs } = booked;
  const { kind, rule, reason, player, room, atMs, measured = null, allowed = null, unit = null } = verdict;
  return {
    id,
    world: world.name,
    protocol: world.protocol,
    kind,
    rule,
    reason,
    player,
    name,
    room,
    atMs,
    epochMs,
    measured,
    allowed,
    unit,
    share: shareOf(verdict) ?? null,
    holdsOn: banKind(key),
    actions,
  };
}

const TOLD: readonly VerdictActionName[] = ["warn", "kick", "ban"];
const UNTIL = "until ";

/** What a file about a verdict says of its actions: not who did them, no notes, and of words only those that the player was told. */
export function caseActions(actions: readonly KeptAction[]): readonly CaseAction[] {
  return actions.flatMap(({ action, atMs, reason, result, detail }): readonly CaseAction[] => {
    if (action === "note" || result === "failed") return [];
    const untilMs = action === "ban" && detail?.startsWith(UNTIL) ? Date.parse(detail.slice(UNTIL.length)) : null;
    return [{ action, atMs, reason: TOLD.includes(action) ? reason : "", untilMs }];
  });
}
