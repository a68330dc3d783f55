/**
 * Rooms of Slime Online 2: what they are, and how files with them are read.
 *
 * ```ts
 * import { loadMaps } from "wirewalk/slime-online-2/maps";
 *
 * const maps = loadMaps("rooms.json"); // throws MapFileError: Cannot read rooms.json: no such file
 * ```
 *
 * @module
 */
export { type DemoRoom, demoRoom, demoRooms, demoRoomsFile } from "./demo-rooms.ts";
export {
  flatGeometry,
  type Rectangle,
  type RectangleRoomOptions,
  type RoomGeometry,
  rectangleRoom,
} from "./geometry.ts";
export {
  type DoorTarget,
  makeRoom,
  type RoomDoor,
  type RoomOmission,
  type RoomParts,
  type RoomPlace,
  type SlimeRoom,
} from "./room.ts";
export type { RoomDescription, RoomsFile } from "./room-file.ts";
export { isSlimeMaps, loadMaps, roomsToJson, type SlimeMaps, slimeMapReading, slimeMapsOf } from "./slime-maps.ts";
