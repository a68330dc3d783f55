/** Tracks as `foxglove.SceneUpdate`: common viewers draw them, and a reader of positions needs JSON alone. */
import type { Track } from "wirewalk/motion";

/** Units of the game: what an arrow measures, by the kind of the position. */
const LENGTH_3D = 1;
const LENGTH_TILES = 1;
const LENGTH_PIXELS = 24;

/** Claims are blue, positions that the server computed are green. */
const colors = {
  claimed: '{"r":0.2,"g":0.5,"b":1,"a":1}',
  simulated: '{"r":0.2,"g":0.8,"b":0.3,"a":1}',
  observed: '{"r":0.9,"g":0.7,"b":0.2,"a":1}',
  guessed: '{"r":0.6,"g":0.6,"b":0.6,"a":1}',
} as const;

/** Members that the schema wants, and that nothing uses. */
const NOTHING_ELSE = '"cubes":[],"spheres":[],"cylinders":[],"lines":[],"triangles":[],"texts":[],"models":[]';

/** A time as these schemas write it. */
function timeOf(us: number): string {
  const sec = Math.floor(us / 1e6);
  return `{"sec":${sec},"nsec":${Math.round(us - sec * 1e6) * 1000}}`;
}

/** Numbers that JSON has not are 0: no position is one of them. */
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

/**
 * All players of a world at one time, in microseconds since 1970. A player that is not in the next update within
 * `lifetimeMs` disappears. Text by hand: objects and `JSON.stringify` took twice as long.
 */
export function sceneOf(tracks: readonly Track[], us: number, lifetimeMs: number): string {
  const times = `"timestamp":${timeOf(us)},"lifetime":${timeOf(lifetimeMs * 1000)},"frame_locked":false`;
  const texts = new Map<string, string>();
  const quoted = (text: string): string => {
    let json = texts.get(text);
    if (json === undefined) {
      json = JSON.stringify(text);
      texts.set(text, json);
    }
    return json;
  };
  let entities = "";
  for (const { player, room, position, velocity, facingTurns, stance, source } of tracks) {
    const { x, y, z, level } = position;
    const length = z !== undefined ? LENGTH_3D : level !== undefined ? LENGTH_TILES : LENGTH_PIXELS;
    const half = finite(facingTurns) * Math.PI;
    const speed =
      velocity.z === undefined ? `${velocity.x} ${velocity.y}` : `${velocity.x} ${velocity.y} ${velocity.z}`;
    const floor = level === undefined ? "" : `,{"key":"level","value":"${level}"}`;
    entities +=
      `${entities === "" ? "" : ","}{${times},"frame_id":${quoted(room)},"id":"${player}",` +
      `"metadata":[{"key":"stance","value":${quoted(stance)}},{"key":"source","value":"${source}"},` +
      `{"key":"velocity","value":"${speed}"}${floor}],` +
      `"arrows":[{"pose":{"position":{"x":${finite(x)},"y":${finite(y)},"z":${finite(z ?? level ?? 0)}},` +
      `"orientation":{"x":0,"y":0,"z":${Math.sin(half)},"w":${Math.cos(half)}}},` +
      `"shaft_length":${length},"shaft_diameter":${length / 4},"head_length":${length / 2},` +
      `"head_diameter":${length / 2},"color":${colors[source]}}],${NOTHING_ELSE}}`;
  }
  return `{"deletions":[],"entities":[${entities}]}`;
}
