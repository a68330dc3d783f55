/**
 * Sizes of the messages of revision 239 by opcode, from blurite/rsprox, `protocol/osrs-239` (MIT). A number is the size in bytes, b a size of
 * one byte before the body, s one of two, x no message.
 */
const parse = (sizes: string): readonly (number | "b" | "s" | "x")[] =>
  sizes.split(" ").map((size) => (size === "b" || size === "s" || size === "x" ? size : Number(size)));

export const SERVER_SIZES = parse(
  "4 5 s 0 9 1 b 7 s 3 2 b 6 14 8 s 6 10 s s 5 1 s 4 b s 1 s s 4 6 2 7 s 14 10 0 b 1 s 7 10 s 1 0 2 7 3 27 s 6 7 20 20 3 6 s " +
    "0 1 6 0 b b 5 2 4 2 b 8 s 7 s 9 1 b 1 0 5 17 4 s s 6 0 6 s 6 5 0 6 8 b 0 2 4 s 2 3 8 12 5 9 8 4 10 s 10 8 16 s 4 s b 28 s " +
    "8 2 0 5 3 4 5 s 8 2 s s b 15 14 11 1 s 13 10 4 s 10 1 8 9 9 8 4 9 3 8 9 11",
);

export const CLIENT_SIZES = parse(
  "2 10 1 3 0 0 b 8 4 b 5 x b 4 3 8 2 b x 4 b x 3 11 0 x b 16 b 1 x 8 2 4 b 7 x 3 b 4 10 x x 8 1 4 8 9 16 x 9 4 15 3 s b s 3 6 3 b " +
    "2 15 8 b b 6 b x b 3 x 11 8 8 4 15 26 2 11 3 x b 3 b 4 11 11 x 0 11 22 3 3 x 0 b b 2 4 3 b 4 8 8 1 3 x s x b s 1 15 b 6 8",
);

/** Opcodes that the server of these tests sends. */
export const SERVER = {
  NPC_INFO_LARGE: 2,
  UPDATE_INV_FULL: 22,
  PLAYER_INFO: 28,
  URL_OPEN: 39,
  SET_ACTIVE_WORLD: 47,
  REBUILD_NORMAL: 49,
  UPDATE_RUNENERGY: 64,
  MESSAGE_GAME: 74,
  IF_SETTEXT: 80,
  SERVER_TICK_END: 83,
  PACKET_GROUP_START: 93,
  VARP_SMALL: 97,
  SET_NPC_UPDATE_ORIGIN: 116,
  GROUP_VAR_INT: 140,
  SET_MAP_FLAG: 143,
} as const;

/** Opcodes that the client of these tests sends. */
export const CLIENT = {
  EVENT_CAMERA_POSITION: 8,
  WINDOW_STATUS: 10,
  MAP_BUILD_COMPLETE: 24,
  EVENT_APPLET_FOCUS: 29,
  EVENT_MOUSE_CLICK: 35,
  EVENT_KEYBOARD: 54,
  NO_TIMEOUT: 89,
  EVENT_MOUSE_MOVE: 110,
  MOVE_GAMECLICK: 114,
} as const;
