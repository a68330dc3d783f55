/**
 * **Bans and players**: what a ban of a player applies to, and which sessions end when a world bans a player or a ban comes
 * into force.
 */
import type { Clock } from "wirewalk/net";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { ServerOptions } from "../server-options.ts";
import type { DisconnectReason } from "../session/disconnect.ts";
import type { Session } from "../session/session.ts";
import type { BanEffect, HostedWorld, Member } from "../worlds/hosted-world.ts";
import { addressKey, type BanKey, banKind, isLoopbackAddress, loginKey, parseBanKey, sessionKey } from "./ban-key.ts";
import { type BanNotice, BanNotices } from "./ban-notices.ts";
import { type Ban, type Bans, banText } from "./bans.ts";

export interface PlayerBansOptions extends Pick<ServerOptions, "banLoopback" | "demo"> {
  readonly clock: Clock;
  readonly log: LogBudget;
}

export class PlayerBans {
  readonly #options: PlayerBansOptions;
  readonly #notices: BanNotices;

  constructor(options: PlayerBansOptions) {
    this.#options = options;
    this.#notices = new BanNotices(options.clock);
  }

  /** What a ban of the session's player applies to; `login` is a name whose password was checked. */
  keyOf({ id, link: { address }, world }: Session, login: string | undefined): BanKey {
    const { banLoopback = false, demo = false } = this.#options;
    if (!banLoopback && (demo || isLoopbackAddress(address))) return sessionKey(id);
    if (login !== undefined) return loginKey(login);
    if (world.banAddress === "off") return sessionKey(id);
    return addressKey(address) ?? sessionKey(id);
  }

  /** A world bans a player; `member` is undefined when the player has left. Undefined when its session alone ends. */
  ban(bans: Bans, world: HostedWorld, effect: BanEffect, member: Member | undefined): Ban | undefined {
    const { name: of, protocol } = world;
    const key = member?.banKey ?? parseBanKey(effect.account);
    if (key === undefined) throw new Error(`Cannot ban ${effect.account}: the player has left and had no login`);
    const rule = effect.evidence.at(-1)?.rule ?? "unknown";
    if (banKind(key) === "session") {
      const { player, reason } = effect;
      this.#options.log.warn({ world: of, key, player, rule, reason }, "disconnected by a rule, not banned");
      member?.end("banned", `this session alone, by rule ${rule}`);
      return undefined;
    }
    const { reason, durationMs, evidence } = effect;
    const name = world.host.players.get(effect.player)?.name ?? "";
    const ban = bans.add(protocol.name, { key, name, reason, durationMs, evidence });
    // Where the ban of an address is soft, its other sessions go on.
    member?.end("banned", banText(ban));
    return ban;
  }

  /** A ban has come into force, made here or by another server on the same store. `worlds` are those of its game. */
  inForce(ban: Ban, worlds: readonly HostedWorld[]): void {
    this.#options.log.warn(ban, "banned");
    for (const world of worlds) {
      if (banKind(ban.key) !== "address" || world.banAddress === "on") world.endBanned(ban.key, banText(ban));
    }
  }

  /** A session has ended: keeps for its address why, if by a ban. */
  ended({ banKey, link, world }: Session, reason: DisconnectReason, detail: string | undefined): void {
    if (detail === undefined || (reason !== "banned" && reason !== "refused-banned")) return;
    const text = banKind(banKey) === "session" ? detail : `banned ${detail}`;
    this.#notices.add(link.address, world.protocol.name, banKey, text);
  }

  /** Why the last session of an address was ended or refused, if by a ban. */
  noticeFor(address: string, protocol: string): BanNotice | undefined {
    return this.#notices.find(address, protocol);
  }
}
