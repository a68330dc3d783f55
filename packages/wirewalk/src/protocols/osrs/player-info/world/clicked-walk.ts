/**
 * How far a client's own player walks after a click on the ground, against the way that the map has there. A server moves its players: a
 * longer walk is one of the server.
 */
import { i32le, u32le } from "../../../../wire/index.ts";
import type { WireMessage } from "../../../codec.ts";
import { type StateOf, state } from "../../../world-kit/index.ts";
import type { OsrsClientMessage } from "../../wire/message.ts";
import type { WayFinder } from "../movement/way-finder.ts";
import type { WorldTile } from "../wire/constants.ts";

/** Packets after a click in which the server may still walk the player as before: 2 s of delay. */
const LATE_PACKETS = 3;

export const savedClickedWalk = state({
  /** The tile that was clicked. */
  x: i32le,
  z: i32le,
  /** Tiles that the player has gone since. */
  gone: u32le,
  /** Tiles that it may go. */
  allowed: u32le,
  /** Packets since. */
  packets: u32le,
});
export type ClickedWalk = StateOf<typeof savedClickedWalk>;

/** Messages of a client after which nobody walks. All others that are no clicks on the ground may lead a player anywhere. */
const standing: ReadonlySet<string> = new Set(
  `mouseMove nativeMouseMove mouseClick mouseClickV2 nativeMouseClick EVENT_APPLET_FOCUS EVENT_CAMERA_POSITION EVENT_KEYBOARD EVENT_MOUSE_SCROLL
  EVENT_MOUSE_CLICK EVENT_NATIVE_MOUSE_CLICK IDLE MAP_BUILD_COMPLETE NO_TIMEOUT SEND_PING_REPLY SOUND_JINGLEEND WINDOW_STATUS`.split(
    /\s+/,
  ),
);

/** The walk after a message of the client, at whose arrival its player is on `from`; undefined where nothing is known of the next steps. */
export function walkAfter(
  walk: ClickedWalk | undefined,
  message: WireMessage,
  from: WorldTile,
  finder: WayFinder,
): ClickedWalk | undefined {
  const sent = message as OsrsClientMessage;
  if (sent.message === "moveGameClick" || sent.message === "moveMinimapClick") {
    const { x, z } = sent.value;
    return extended({ x, z, gone: 0, allowed: 0, packets: 0 }, from, finder);
  }
  return walkAfterUndescribed(walk, message.message);
}

/** The same of a message without a description, by its name; undefined for one that could not be read. */
export function walkAfterUndescribed(walk: ClickedWalk | undefined, name: string | undefined): ClickedWalk | undefined {
  return name !== undefined && standing.has(name.replace(/_V\d+$/, "")) ? walk : undefined;
}

/** The walk after a packet that moved the player by so many tiles, to `at`. */
export function walkOn(walk: ClickedWalk, tiles: number, at: WorldTile, finder: WayFinder): ClickedWalk | undefined {
  const next = { ...walk, gone: walk.gone + tiles, packets: walk.packets + 1 };
  return tiles > 0 && next.packets <= LATE_PACKETS ? extended(next, at, finder) : next;
}

/** With the way from here on, as the server finds it when the click arrives there now. */
function extended(walk: ClickedWalk, from: WorldTile, finder: WayFinder): ClickedWalk | undefined {
  const { tiles, arrives, metUnknown } = finder.findWay(from.level, from, walk);
  // A door that the map has closed may be open: the server then leads farther than to the nearest tile.
  if (!arrives || metUnknown) return undefined;
  return { ...walk, allowed: Math.max(walk.allowed, walk.gone + tiles.length) };
}
