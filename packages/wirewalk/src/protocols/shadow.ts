import type { PlayerId, Verdict } from "../motion/index.ts";
import type { Side, WireMessage } from "./codec.ts";

/**
 * A world that stands beside another server and judges its clients: it takes over what that server decides, and finds nothing that
 * follows from what it has not seen. Member `shadow` of a world that was made with `WorldOptions.shadow`.
 */
export interface Shadowed {
  /** The other server sent the player this message. Nothing happens for a message that the world cannot follow. */
  observe(player: PlayerId, message: WireMessage, nowMs: number): void;
  /** A message of either side could not be read, or is not described: what it changed is not known. */
  missed(player: PlayerId, sender: Side, payload: Uint8Array, nowMs: number): void;
  /** What the other server sends to the player is not read any further. */
  lost(player: PlayerId, nowMs: number): void;
  /** Whether the other server has accepted the player's login, or the game has none. Until then a second login replaces the first. */
  isAdmitted(player: PlayerId): boolean;
}

/** What a world beside another server has not seen of a player. It is the data of observation `unseen`, once for each reason. */
export interface Gap {
  /** For people. */
  readonly reason: string;
  /** Rules whose findings mean nothing. Absent: all rules. Empty: all findings hold, and some are missing. */
  readonly rules?: readonly string[];
}

/**
 * What a world beside another server has found in what that server itself sends, such as a step through a wall of the given maps. It says
 * nothing of a client, and no verdict follows from it. It is the data of observation `server-notice`, in a bounded number.
 */
export interface ServerNotice {
  /** The kind, of the game: `wall-step`. */
  readonly notice: string;
  /** For people, with the place. */
  readonly reason: string;
  /** How many of this kind there were so far, those that were not told among them. */
  readonly total: number;
}

/** What was seen of one player. A world that has seen a part of a session alone must not find what follows from the rest of it. */
export interface Sight {
  /** A message that could be read: before the world receives it. */
  saw(sender: Side, message: WireMessage): void;
  /** A message that could not be read: what it changed is not known, or not all of it. */
  missed(sender: Side, payload: Uint8Array): void;
  /** What is missing to judge a message of the client. */
  gaps(message: WireMessage): readonly Gap[];
  /** Whether a finding follows from what was not seen. */
  silences(verdict: Verdict): boolean;
  readonly isAdmitted: boolean;
  /** Everything that decides later answers, as flags and counts. */
  save(): SavedSight;
}

export type SavedSight = Readonly<Record<string, number>>;
