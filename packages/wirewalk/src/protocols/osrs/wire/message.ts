/** The messages of a revision that has a table, beside those that every dialect has. */
import type { MouseMoveMessage } from "../mouse/wire/message.ts";
import type { MousePacket } from "../mouse/wire/packet-description.ts";
import type { PlayerInfoServerMessage } from "../player-info/wire/message.ts";

/** The map around the observer is loaded anew. The first one of a session begins with the initialisation of player info. */
export interface RebuildNormalMessage {
  readonly message: "rebuildNormal";
  readonly value: {
    /** The initialisation, 4,608 bytes. */
    readonly init?: Uint8Array;
    readonly worldArea: number;
    /** The zone of the observer: 8 x 8 tiles. */
    readonly zoneX: number;
    readonly zoneZ: number;
    /** Keys of the map's files, four words each. Up to revision 237. */
    readonly keys?: readonly (readonly number[])[];
  };
}

/** As {@link RebuildNormalMessage}, of a revision whose order of fields is not known. */
export interface UnorderedRebuildMessage {
  readonly message: "rebuildNormal";
  readonly value: { readonly init?: Uint8Array; readonly rest: Uint8Array };
}

/** Which world the messages after it are about: the ground that all share, or one that moves on it. */
export interface SetActiveWorldMessage {
  readonly message: "setActiveWorld";
  readonly value: {
    /** Up to revision 230: 0 for the ground, 1 for a world of its own. */
    readonly type?: number;
    readonly index: number;
    readonly level: number;
  };
}

/** The last message of a tick. */
export interface ServerTickEndMessage {
  readonly message: "serverTickEnd";
  readonly value: object;
}

/** The client waits for this many bytes of messages, and handles them at once. */
export interface PacketGroupStartMessage {
  readonly message: "packetGroupStart";
  readonly value: { readonly bytes: number };
}

/** What the native client says of its mouse: packets of the dialect `native`. */
export interface NativeMouseMoveMessage {
  readonly message: "nativeMouseMove";
  readonly value: MousePacket;
}

/** Where a player wants to walk. */
export interface ClickedTile {
  /** Tiles, absolute. */
  readonly x: number;
  readonly z: number;
  /** 1 with control, 2 with control and shift, otherwise 0. */
  readonly keys: number;
}

/** A click into the scene. */
export interface MoveGameClickMessage {
  readonly message: "moveGameClick";
  readonly value: ClickedTile;
}

/** A click on the small map. */
export interface MoveMinimapClickMessage {
  readonly message: "moveMinimapClick";
  readonly value: ClickedTile & {
    /** Of the click from the corner of the map, in pixels. */
    readonly mapX: number;
    readonly mapY: number;
    /** Of the camera, 0..2047. */
    readonly cameraAngle: number;
    /** Of the player, in units of 1/128 tile. */
    readonly fineX: number;
    readonly fineZ: number;
  };
}

/** A mouse button went down. */
export interface MouseClickMessage {
  readonly message: "mouseClick";
  readonly value: {
    /** Milliseconds since the last click, times 2; plus 1 for the right button. */
    readonly timeAndButton: number;
    readonly x: number;
    readonly y: number;
  };
}

/** As {@link MouseClickMessage}, with a code of the operating system. */
export interface MouseClickV2Message {
  readonly message: "mouseClickV2";
  readonly value: MouseClickMessage["value"] & { readonly code: number };
}

/** A mouse button of the native client went down. */
export interface NativeMouseClickMessage {
  readonly message: "nativeMouseClick";
  readonly value: { readonly sinceLast: number; readonly code: number; readonly x: number; readonly y: number };
}

/** A message that a revision has and that is not described here. Its name is that of the table: `IF_SETTEXT`. */
export interface UndescribedMessage {
  readonly message: string;
  readonly value: { readonly bytes: Uint8Array };
}

/** What a client of a revision with a table sends, of what is described. */
export type OsrsClientMessage =
  | MouseMoveMessage
  | NativeMouseMoveMessage
  | MoveGameClickMessage
  | MoveMinimapClickMessage
  | MouseClickMessage
  | MouseClickV2Message
  | NativeMouseClickMessage;

/** What a server of a revision with a table sends, of what is described. */
export type OsrsServerMessage =
  | PlayerInfoServerMessage
  | RebuildNormalMessage
  | UnorderedRebuildMessage
  | SetActiveWorldMessage
  | ServerTickEndMessage
  | PacketGroupStartMessage;
