/** The messages that are described here, in the form that a revision has: which they are, and their layouts. */
import {
  array,
  bytesWith,
  concat,
  fixedBytes,
  i16be,
  i32be,
  type Layout,
  literal,
  type Meaning,
  restBytes,
  struct,
  u8,
  u16be,
  withMeaning,
} from "../../../wire/index.ts";
import { mousePacketDescription } from "../mouse/wire/packet-description.ts";
import { foldedInitialPacket, INIT_BYTES } from "../player-info/wire/initial-packet.ts";
import { playerInfoLayouts } from "../player-info/wire/message.ts";
import { type BodySize, MAX_BODY_BYTES } from "./framing.ts";
import { fieldsIn, ordersOf } from "./revision-orders.ts";

/** One form of a message. */
export interface MessageForm {
  readonly message: string;
  readonly summary: string;
  readonly layout: Layout<object>;
  /** The same message with the initialisation in front, which only the length tells. */
  readonly withInit?: Layout<object>;
}

/** Keys of a map: the client loads at most a few dozen files at once. */
const MAX_KEYS = 256;

const TILES = "tiles";
const rebuildMeanings: Readonly<Record<string, Meaning & { readonly signed?: true }>> = {
  worldArea: { doc: "which part of the world", signed: true },
  zoneX: { doc: "the observer's tile / 8" },
  zoneZ: { doc: "the observer's tile / 8" },
};
const clickMeanings: Readonly<Record<string, Meaning>> = {
  x: { doc: "of the tile clicked", unit: TILES },
  z: { doc: "of the tile clicked", unit: TILES },
  keys: { doc: "1 with control, 2 with control and shift" },
};
const mouseMeanings: Readonly<Record<string, Meaning>> = {
  timeAndButton: { doc: "milliseconds since the last click x 2, plus 1 for the right button" },
  sinceLast: { doc: "since the last click", unit: "ms" },
  code: { doc: "code of the operating system" },
  x: { doc: "from the left edge", unit: "px" },
  y: { doc: "from the upper edge", unit: "px" },
};

const init = struct({ init: bytesWith(foldedInitialPacket) });
const rest = struct({ rest: restBytes({ limit: MAX_BODY_BYTES, opaque: "in an order that is not known" }) });
const keys = struct({ keys: array(array(i32be, { count: 4 }), { count: u16be, limit: MAX_KEYS }) });

/** Bodies of at least so many bytes begin with the initialisation: plain ones have a few hundred. */
export const LEAST_WITH_INIT: number = INIT_BYTES + 6;

function rebuild(order: string | undefined, hasKeys: boolean): MessageForm {
  const fields: Layout<object> = order === undefined ? rest : struct(fieldsIn(order, rebuildMeanings));
  const layout = hasKeys && order !== undefined ? concat(fields, keys) : fields;
  const summary = "the map around the observer; at the start of a session with the initialisation of player info";
  return { message: "rebuildNormal", summary, layout, withInit: concat(init, layout) };
}

const level = withMeaning(u8, { doc: "of the events that follow" });
const setActiveWorldV1 = struct({
  type: withMeaning(u8, { doc: "0 the ground, 1 a world of its own" }),
  index: u16be,
  level,
});
const setActiveWorldV2 = struct({
  index: withMeaning(i16be, { doc: "the ground is -1, from revision 237 on 0" }),
  level,
});

function setActiveWorld(layout: Layout<object>): MessageForm {
  return { message: "setActiveWorld", summary: "which world the messages after it are about", layout };
}

const gameClick = (order: string): Layout<object> => struct(fieldsIn(order, clickMeanings));

/** What is alike in all revisions. The five bytes without a name never change. */
const minimapTail = struct({
  mapX: withMeaning(u8, { doc: "of the click", unit: "px" }),
  mapY: withMeaning(u8, { doc: "of the click", unit: "px" }),
  cameraAngle: u16be,
  $check1: literal(u8, 57),
  $check2: literal(u8, 0),
  $check3: literal(u8, 0),
  $check4: literal(u8, 89),
  fineX: withMeaning(u16be, { doc: "of the player", unit: "1/128 tile" }),
  fineZ: withMeaning(u16be, { doc: "of the player", unit: "1/128 tile" }),
  $check5: literal(u8, 63),
});

const minimapClick = (order: string): Layout<object> => concat(gameClick(order), minimapTail);

const mouseClick = (order: string): Layout<object> => struct(fieldsIn(order, mouseMeanings));

/** EVENT_MOUSE_CLICK_V1, the same in all revisions. */
const MOUSE_CLICK = "timeAndButton BE x BE y BE";

/** The layout of an order; undefined for one that is not known. */
function inOrder(order: string | undefined, layoutOf: (order: string) => Layout<object>): Layout<object> | undefined {
  return order === undefined ? undefined : layoutOf(order);
}

/** The form that a revision has of a message, by its name in the table; undefined for those that are not described. */
export function formIn(
  revision: number,
  name: string,
  dialect: string,
): (MessageForm & { readonly sender: "client" | "server" }) | undefined {
  const orders = ordersOf(revision);
  const server = (form: MessageForm) => ({ ...form, sender: "server" }) as const;
  const client = (message: string, summary: string, layout: Layout<object> | undefined) =>
    layout === undefined ? undefined : ({ message, summary, layout, sender: "client" } as const);
  switch (name) {
    case "PLAYER_INFO":
      return server({
        message: "playerInfo",
        summary: "the players in view, their movement and their mask blocks, once per tick",
        layout: playerInfoLayouts.playerInfo,
      });
    case "RECONNECT":
      return server({
        message: "playerInfoInit",
        summary: "after a login that resumes a session: the client's tile, and the map quarter of every other player",
        layout: playerInfoLayouts.playerInfoInit,
      });
    case "REBUILD_NORMAL":
    case "REBUILD_NORMAL_V1":
      return server(rebuild(orders.rebuildV1, true));
    case "REBUILD_NORMAL_V2":
      return server(rebuild(orders.rebuildV2, false));
    case "SET_ACTIVE_WORLD_V1":
      return server(setActiveWorld(setActiveWorldV1));
    case "SET_ACTIVE_WORLD_V2":
      return server(setActiveWorld(setActiveWorldV2));
    case "SERVER_TICK_END":
      return server({ message: "serverTickEnd", summary: "the last message of a tick", layout: struct({}) });
    case "PACKET_GROUP_START":
      return server({
        message: "packetGroupStart",
        summary: "the client waits for so many bytes of messages, and handles them at once",
        layout: struct({ bytes: u16be }),
      });
    case "EVENT_MOUSE_MOVE":
      // The two clients have an opcode each: the layout is never that of the dialect `native` here.
      return client(
        "mouseMove",
        "samples of the mouse's position",
        mousePacketDescription(dialect === "documented" ? dialect : "client"),
      );
    case "EVENT_NATIVE_MOUSE_MOVE":
      return client(
        "nativeMouseMove",
        "samples of the mouse's position, with buttons",
        mousePacketDescription("native"),
      );
    case "MOVE_GAMECLICK":
      return client("moveGameClick", "a click into the scene", inOrder(orders.moveClick, gameClick));
    case "MOVE_MINIMAPCLICK":
      return client("moveMinimapClick", "a click on the small map", inOrder(orders.moveClick, minimapClick));
    case "EVENT_MOUSE_CLICK_V1":
      return client("mouseClick", "a mouse button", mouseClick(MOUSE_CLICK));
    case "EVENT_MOUSE_CLICK_V2":
      return client("mouseClickV2", "a mouse button", inOrder(orders.mouseClickV2, mouseClick));
    case "EVENT_NATIVE_MOUSE_CLICK":
      return client("nativeMouseClick", "a mouse button of the native client", inOrder(orders.nativeClick, mouseClick));
    default:
      return undefined;
  }
}

/** The body of a message that is not described. */
export function undescribedBody(size: BodySize): Layout<object> {
  const opaque = "not described here";
  return struct({
    bytes: typeof size === "number" ? fixedBytes(size, { opaque }) : restBytes({ limit: MAX_BODY_BYTES, opaque }),
  });
}
