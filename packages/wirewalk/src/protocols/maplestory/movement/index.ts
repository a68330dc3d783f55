/**
 * What a client of MapleStory computes: walking, recording of paths, monsters that it drives, and playback of others.
 *
 * ```ts
 * import { createWalker } from "wirewalk/maplestory/movement";
 * ```
 *
 * @module
 */
export { Character, type CharacterOptions } from "./character.ts";
export { playerLoggedIn } from "./client-messages.ts";
export { DocumentRecorder } from "./document-recorder.ts";
export { MonsterDriver, type MonsterDriverOptions } from "./monster-driver.ts";
export { maplePlayback, nativePlayback } from "./native-playback.ts";
export { durationOf, type NodePath, nodesOf } from "./nodes.ts";
export type { PlaybackPolicy } from "./playback.ts";
export {
  ballisticBetween,
  hermiteBetween,
  type Interpolation,
  type PlaybackNode,
  type PlaybackPath,
  type PlaybackPoint,
} from "./playback-queue.ts";
export { monsterRecording, PathRecorder, playerRecording } from "./recorder.ts";
export { hashPattern, makeVerification } from "./verification-pattern.ts";
export { createWalker, type Keys, stepWalker, type Walker, walkConstants } from "./walker.ts";
