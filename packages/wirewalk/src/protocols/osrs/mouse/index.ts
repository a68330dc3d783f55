/**
 * Old School RuneScape mouse movement: recorder, packets, trackers, kinematics, world, bots and lines.
 *
 * ```ts
 * const tracker = new MouseTracker({ dialect: "client" });
 * const path = [];
 * tracker.read(parseHex("0800 ffff012c0190 295e"), ({ x, y, atMs }) => path.push({ x, y, atMs }));
 * path; // => [{ x: 400, y: 300, atMs: 0 }, { x: 405, y: 298, atMs: 56 }]
 * ```
 *
 * Source: docs/protocols/osrs-mouse.md.
 */
export { GAME_HEIGHT, GAME_WIDTH, MouseBot, MouseHand } from "./bots/bot.ts";
export { canvasPoint, PointerRecorder, type PointerSurface } from "./movement/pointer-recorder.ts";
export { MouseRecorder, type MouseRecorderOptions } from "./movement/recorder.ts";
export { MouseSampler } from "./movement/sampler.ts";
export { type MousePacketSummary, type MousePoint, MouseTracker } from "./movement/tracker.ts";
export {
  CYCLE_MS,
  type MouseDialect,
  type MouseRules as MouseDialectRules,
  mouseDialects,
  mouseRules as mouseDialectRules,
} from "./wire/dialect.ts";
export type { MouseMoveMessage } from "./wire/message.ts";
export { MouseCursor, type MouseReadOptions, readMousePacket, writeMousePacket } from "./wire/packet.ts";
export {
  type MouseForm,
  type MousePacket,
  type MouseRecord,
  mousePacketDescription as mouseLayout,
} from "./wire/packet-description.ts";
export { traceMousePacket } from "./wire/trace.ts";
export {
  type Finding as MouseFinding,
  MIN_STROKES,
  MouseKinematics,
  type MouseScore,
  type MouseSummary,
} from "./world/kinematics.ts";
export { MAX_PATH_POINTS, type PathPoint, PLAYBACK_DELAY_MS } from "./world/path-rows.ts";
export { type Stroke, StrokeBuilder } from "./world/stroke.ts";
export { MouseWorld, type MouseWorldOptions } from "./world/world.ts";
