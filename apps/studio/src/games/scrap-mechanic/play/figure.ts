/** A character as it is drawn, from one of its sources: the server's tracks, its updates, the own prediction. */
import type { PlayerId, Track } from "wirewalk/motion";
import { angleTurns, keySets, keysByte, LEVEL_PITCH, type MovementKeys, type Vector3 } from "wirewalk/scrap-mechanic";
import {
  type CharacterState,
  flatGround,
  type Ground,
  movementModel,
  type PlaceName,
  TICK_MS,
} from "wirewalk/scrap-mechanic/movement";
import type { JsonObject } from "wirewalk/wire";
import type { Point } from "./camera.ts";

/** One character at one time. Places are the game's units, called metres here; y goes up the screen. */
export interface Figure {
  readonly player: PlayerId;
  readonly x: number;
  readonly y: number;
  /** Of the feet over the ground. */
  readonly lift: number;
  /** Counter-clockwise from up the screen, 0 to 1. */
  readonly yawTurns: number;
  /** 0 straight down, 64 level, 128 straight up. */
  readonly pitch: number;
  readonly keys: MovementKeys;
  /** 1/256 turn relative to the look: 64 is forward. */
  readonly direction: number;
  /** How the body is, where it is not on its feet. */
  readonly body: BodyState | undefined;
}

/** `lying` with or without the crawl key: under a low ceiling it cannot stand up. */
export type BodyState = "lying" | "seated" | "tumbling";

/** Inputs of one player that wait on the server, in ticks. */
export interface InputBufferState {
  readonly depth: number;
  /** Ticks that are meant to wait: what the line holds back. */
  readonly target: number;
}

const noKeys = keySets[0] as MovementKeys;

/** The place that the server's settings name. */
export function placeNameOf(settings: Readonly<Record<string, number>>): PlaceName {
  return settings.place === 1 ? "plain" : "yard";
}

/** How high the feet are over ground of a height, from the middle of a body. */
export function liftOf(z: number, crawls: boolean, ground = 0): number {
  const half = (crawls ? movementModel.crawlHeight : movementModel.height) / 2;
  return Math.max(0, z - half - ground);
}

/** What a stance of the server's tracks says of the body. */
const bodies: Readonly<Record<string, BodyState>> = {
  seated: "seated",
  tumble: "tumbling",
  crouch: "lying",
  crawl: "lying",
};

/** What the server's simulation says. */
export function figureOfTrack({ player, position, details, stance }: Track, ground: Ground = flatGround): Figure {
  const body = bodies[stance];
  const keys = keySets[numberOf(details, "keys", 0)] ?? noKeys;
  return {
    player,
    x: position.x,
    y: position.y,
    lift:
      body === "seated" ? 0 : liftOf(position.z ?? 0, keys.crawl || body !== undefined, ground(position.x, position.y)),
    yawTurns: angleTurns(numberOf(details, "yaw", 0)),
    pitch: numberOf(details, "pitch", LEVEL_PITCH),
    keys,
    direction: numberOf(details, "direction", 0),
    body,
  };
}

/** What of a player's inputs waits on the server. */
export function bufferOfTrack({ details }: Track): InputBufferState {
  return {
    depth: numberOf(details, "bufferedTicks", 0),
    target: Math.round(numberOf(details, "delayMs", 0) / TICK_MS),
  };
}

/** A number that a world's details may have. */
export function numberOf(details: JsonObject | undefined, name: string, otherwise: number): number {
  const value = details?.[name];
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

/** A state of the model as the wire log shows it. */
export function stateJson(state: Readonly<CharacterState>): JsonObject {
  const { x, y, z, vx, vy, vz, onGround, crawling, seated, tumbling } = state;
  return { x, y, z, vx, vy, vz, onGround, crawling, seated, tumbling };
}

/** How far two places are apart, in metres. */
export function distance(a: Readonly<Vector3>, b: Readonly<Vector3>): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

const arrows = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"];

/** The way that the keys lead, as an arrow on a keyboard; a stick's is the nearest. */
export function directionArrow(direction: number): string {
  return arrows[Math.round(direction / 32) % arrows.length] ?? "";
}

/** The keys that are held, in a few words: `↗ sprint jump`. Empty while none is. */
export function keysWords(keys: MovementKeys, direction: number): string {
  const words = [
    keys.horizontal ? directionArrow(direction) : "",
    keys.sprint ? "sprint" : "",
    keys.crawl ? "crawl" : "",
    keys.jump ? "jump" : "",
    keys.aim ? "aim" : "",
  ];
  return words.filter((word) => word !== "").join(" ");
}

/** The same out of a track's details. */
export function describeKeys(details: JsonObject | undefined): string {
  const keys = keySets[numberOf(details, "keys", 0)] ?? noKeys;
  return keysByte(keys) === 0 ? "" : keysWords(keys, numberOf(details, "direction", 0));
}

/** The state of a body in words: empty on its feet, and where it lies because of the crawl key. */
export function bodyWords({ body, keys }: Pick<Figure, "body" | "keys">): string {
  if (body === "lying") return keys.crawl ? "" : "cannot stand up";
  return body ?? "";
}

/** `level`, `12° up`, `90° down`. */
export function pitchWords(pitch: number): string {
  const degrees = Math.round(((pitch - LEVEL_PITCH) * 360) / 256);
  return degrees === 0 ? "level" : `${Math.abs(degrees)}° ${degrees > 0 ? "up" : "down"}`;
}

/** Forward of a look on the screen, whose y goes down. */
export function forward(yawTurns: number): Point {
  const radians = yawTurns * 2 * Math.PI;
  return { x: -Math.sin(radians), y: -Math.cos(radians) };
}

/** Where the keys lead on the screen. */
export function walkingWay({ yawTurns, direction }: Figure): Point {
  const radians = yawTurns * 2 * Math.PI + (direction / 256) * 2 * Math.PI;
  return { x: Math.cos(radians), y: -Math.sin(radians) };
}
