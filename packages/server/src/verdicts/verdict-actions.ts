/**
 * **Actions**: what an operator does about a verdict. Each is kept in the store with who asked for it, when, why, and what became of it, and
 * is shown with the verdict from then on.
 *
 * - `note`: a sentence for other operators.
 * - `dismiss`: the verdict was false. Its points are taken back from the scores, and the seconds around it become a recording in which the
 *   rule must not find that player again (`dismissed-recordings.ts`).
 * - `warn`: the player reads a sentence, in games that have a message for it.
 * - `kick`: its session ends. `ban`: its account may not join for a time. `lift`: it may again.
 */
import type { PlayerId } from "wirewalk/motion";
import type { Store } from "wirewalk/net";
import type { JsonObject, JsonValue } from "wirewalk/wire";
import { type BanKey, banKind } from "../bans/ban-key.ts";
import { type Bans, banText } from "../bans/bans.ts";
import type { Ledger } from "../bans/ledger.ts";
import { DEFAULT_POLICY, policyBounds, VERDICT_POINTS } from "../bans/policies.ts";
import { verdictJson } from "../feed/verdict-json.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import {
  ActionRefusal,
  type KeptAction,
  onlyOne,
  type ShownVerdict,
  showVerdict,
  type VerdictActionName,
} from "./shown-verdict.ts";
import type { NamedBookedVerdict, VerdictBook, VerdictFilter } from "./verdict-book.ts";

/** An action to be done. */
export interface ActionRequest {
  readonly action: VerdictActionName;
  /** Who asks, as they say: all operators have one token. */
  readonly by: string;
  /** Needed for `note`, `dismiss` and `warn`, where it is what the player reads. */
  readonly reason: string;
  /** Of a ban. Default: that of a policy, one hour. */
  readonly durationMs?: number | undefined;
}

/** A player of a running world, as an action needs it. */
export interface ActionTarget {
  readonly world: string;
  readonly player: PlayerId;
  /** Another player may have the number by now. */
  readonly key: BanKey;
}

/** Seconds to be kept as a recording in which a rule must not find a player. */
export interface DismissedPlay {
  readonly world: string;
  readonly id: string;
  readonly player: PlayerId;
  readonly name: string;
  readonly rule: string;
  readonly reason: string;
  /** Of the world's clock. */
  readonly atMs: number;
}

/** What a server does for an action. All are asked with a player that may have left. */
export interface ActionHands {
  /** Why the player cannot read it; undefined when it was sent. */
  warn(target: ActionTarget, text: string): Promise<string | undefined>;
  /** False when the player is not there. */
  end(target: ActionTarget, how: "kick" | "ban", detail: string): Promise<boolean>;
  /** What was kept, as a sentence. */
  dismiss(play: DismissedPlay): Promise<string>;
}

export interface VerdictActionsOptions {
  readonly store: Store;
  readonly book: VerdictBook;
  readonly bans: Pick<Bans, "add" | "lift">;
  readonly ledger: Pick<Ledger, "takeBack">;
  readonly hands: ActionHands;
  readonly epochNow: () => number;
  readonly log: LogBudget;
  /** Receives each action, when it is kept. */
  readonly onAction?: ((verdict: ShownVerdict, action: KeptAction) => void) | undefined;
}

const TABLE = "verdict-actions";
const MAX_ACTIONS_OF_ONE = 50;
/** Verdicts with actions; people make them, so that nothing else fills them. */
const MAX_KEPT = 10_000;
const MAX_TEXT = 500;
const MAX_NAME = 64;

export class VerdictActions {
  readonly #options: VerdictActionsOptions;
  /** Counted when the first one is kept. */
  #kept: number | undefined;

  constructor(options: VerdictActionsOptions) {
    this.#options = options;
  }

  /** The last verdicts, the newest first, with what was done about them. Throws what the store throws. */
  list(filter: VerdictFilter, limit: number): readonly ShownVerdict[] {
    return this.#options.book
      .find(filter)
      .slice(0, limit)
      .map((booked) => this.#shown(booked));
  }

  /** The verdict with this id, or with the only id that begins so. Throws `ActionRefusal` when there is none or several. */
  find(filter: VerdictFilter & { readonly id: string }): ShownVerdict {
    return this.#shown(this.#booked(filter));
  }

  /**
   * Does something about a verdict, keeps it, and gives the verdict with all that was done. Throws `ActionRefusal` for a verdict that is not
   * remembered and a request that cannot be carried out, and what the store throws: then nothing was done.
   */
  async act(filter: VerdictFilter & { readonly id: string }, request: ActionRequest): Promise<ShownVerdict> {
    checkRequest(request);
    const booked = this.#booked(filter);
    if (this.#actionsOf(booked).length >= MAX_ACTIONS_OF_ONE) {
      throw new ActionRefusal("full", `There are ${MAX_ACTIONS_OF_ONE} actions about this verdict already`);
    }
    // Before anything is done: what cannot be kept is not done.
    this.#options.store.check();
    const done = await this.#do(booked, request);
    const { action, by, reason } = request;
    const kept: KeptAction = { action, by, reason, atMs: Math.round(this.#options.epochNow()), ...done };
    this.#keep(booked, kept);
    const shown = this.#shown(booked);
    const { id, world, verdict } = booked;
    this.#options.log.info({ world: world.name, verdict: id, rule: verdict.rule, ...kept }, "an operator acts");
    this.#options.onAction?.(shown, kept);
    return shown;
  }

  #booked(filter: VerdictFilter & { readonly id: string }): NamedBookedVerdict {
    return onlyOne(this.#options.book.find(filter), filter.id);
  }

  async #do(booked: NamedBookedVerdict, request: ActionRequest): Promise<Pick<KeptAction, "result" | "detail">> {
    const { bans, ledger, hands } = this.#options;
    const { world, verdict, key, name, id } = booked;
    const { action, by, reason, durationMs = DEFAULT_POLICY.banMs } = request;
    const { player, rule, kind, atMs } = verdict;
    const target: ActionTarget = { world: world.name, player, key };
    switch (action) {
      case "note":
        return done(null);
      case "dismiss":
        ledger.takeBack(world.protocol, key, rule, VERDICT_POINTS[kind]);
        return done(await hands.dismiss({ world: world.name, id, player, name, rule, reason, atMs }));
      case "warn": {
        const why = await hands.warn(target, reason);
        return why === undefined ? done(null) : failed(why);
      }
      case "kick": {
        const isEnded = await hands.end(target, "kick", `by an operator${reason === "" ? "" : `: ${reason}`}`);
        return isEnded ? done(null) : failed("the player has left");
      }
      case "ban": {
        if (banKind(key) === "session") {
          return failed("the player has no login and no address that may be banned: kick ends its session");
        }
        const why = reason === "" ? `By ${by}, for ${rule}` : `By ${by}: ${reason}`;
        const ban = bans.add(world.protocol, { key, name, reason: why, durationMs, evidence: [verdict] });
        await hands.end(target, "ban", banText(ban));
        return done(`until ${new Date(ban.untilMs).toISOString()}`);
      }
      case "lift":
        return bans.lift(world.protocol, key) ? done(null) : failed("the player is not banned");
    }
  }

  #keep({ world, id, verdict, name, epochMs, key }: NamedBookedVerdict, action: KeptAction): void {
    const { store } = this.#options;
    this.#kept ??= store.list(TABLE).length;
    const of = keyOf(world.protocol, id);
    store.update(TABLE, of, (record) => {
      const { stateBefore: _state, message: _message, ...facts } = verdictJson(verdict);
      const before = record === undefined ? [] : (record.actions as readonly JsonValue[]);
      const about = { ...facts, world: world.name, protocol: world.protocol, id, name, key, epochMs };
      return { about, actions: [...before, { ...action }] } as unknown as JsonObject;
    });
    this.#kept += 1;
    if (this.#kept > MAX_KEPT) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const { store } = this.#options;
    const all = store.list(TABLE);
    this.#kept = all.length;
    if (all.length <= MAX_KEPT) return;
    const lastOf = ({ record }: (typeof all)[number]): number => actionsIn(record).at(-1)?.atMs ?? 0;
    const oldest = [...all].sort((a, b) => lastOf(a) - lastOf(b)).slice(0, all.length - MAX_KEPT);
    for (const { key } of oldest) store.delete(TABLE, key);
    this.#kept = MAX_KEPT;
  }

  #actionsOf({ world, id }: Pick<NamedBookedVerdict, "world" | "id">): readonly KeptAction[] {
    return actionsOf(this.#options.store, world.protocol, id);
  }

  #shown(booked: NamedBookedVerdict): ShownVerdict {
    return showVerdict(booked, this.#actionsOf(booked));
  }
}

/** What was done about a verdict of a game, oldest first. Throws what the store throws. */
export function actionsOf(store: Store, protocol: string, id: string): readonly KeptAction[] {
  return actionsIn(store.get(TABLE, keyOf(protocol, id)));
}

/** A verdict about which something was done. */
export interface ActedVerdict {
  /** As it was then: world, protocol, id, rule, name, the key of its account and more. */
  readonly about: JsonObject;
  readonly actions: readonly KeptAction[];
}

/** All verdicts of a store about which something was done; the one that was acted on last is the first. */
export function listActed(store: Store): readonly ActedVerdict[] {
  const all = store.list(TABLE).flatMap(({ record }): readonly ActedVerdict[] => {
    const about = record.about;
    const isObject = typeof about === "object" && about !== null && !Array.isArray(about);
    return isObject ? [{ about: about as JsonObject, actions: actionsIn(record) }] : [];
  });
  const lastOf = ({ actions }: ActedVerdict): number => actions.at(-1)?.atMs ?? 0;
  return all.sort((a, b) => lastOf(b) - lastOf(a));
}

/** Keeps an action about a verdict that no server remembers, such as one of a recording: a note or a dismissal. */
export function keepActed(store: Store, about: JsonObject, action: KeptAction): void {
  store.update(TABLE, keyOf(String(about.protocol), String(about.id)), (record) => {
    const before = record === undefined ? [] : (record.actions as readonly JsonValue[]);
    return { about: record?.about ?? about, actions: [...before, { ...action }] } as unknown as JsonObject;
  });
}

function actionsIn(record: JsonObject | undefined): readonly KeptAction[] {
  const actions = record?.actions;
  return Array.isArray(actions) ? (actions as unknown as readonly KeptAction[]) : [];
}

/** Throws `ActionRefusal` for a request that says too little or too much. */
export function checkRequest({ action, by, reason, durationMs }: ActionRequest): void {
  const invalid = (why: string): ActionRefusal => new ActionRefusal("invalid", why);
  if (by === "" || by.length > MAX_NAME) throw invalid(`by must be a name of at most ${MAX_NAME} letters`);
  if (reason.length > MAX_TEXT) throw invalid(`reason must have at most ${MAX_TEXT} letters, it has ${reason.length}`);
  if (reason === "" && (action === "note" || action === "dismiss" || action === "warn")) {
    throw invalid(`${action} needs a reason`);
  }
  if (durationMs === undefined) return;
  if (action !== "ban") throw invalid(`${action} has no length`);
  const { least, most } = policyBounds.banMs;
  if (!(durationMs >= least && durationMs <= most))
    throw invalid(`a ban lasts ${least} to ${most} ms, got ${durationMs}`);
}

function done(detail: string | null): Pick<KeptAction, "result" | "detail"> {
  return { result: "done", detail };
}

function failed(detail: string): Pick<KeptAction, "result" | "detail"> {
  return { result: "failed", detail };
}

/** Names of protocols have no slash. */
function keyOf(protocol: string, id: string): string {
  return `${protocol}/${id}`;
}
