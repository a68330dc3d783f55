/** Tracks as `foxglove.SceneUpdate`: common viewers draw them, and a reader of positions needs JSON alone. */
import type { Track } from "wirewalk/motion";

/** Units of the game: what an arrow measures, by the kind of the position. */
const LENGTH_3D = 1;
const LENGTH_TILES = 1;
const LENGTH_PIXELS = 24;

/** Spectators' data of a game beside its position. Claims are blue, positions that the server computed are green. */
const colors = {
  claimed: { r: 0.2, g: 0.5, b: 1, a: 1 },
  simulated: { r: 0.2, g: 0.8, b: 0.3, a: 1 },
  observed: { r: 0.9, g: 0.7, b: 0.2, a: 1 },
  guessed: { r: 0.6, g: 0.6, b: 0.6, a: 1 },
} as const;

/** A time as these schemas write it. */
function timeOf(us: number): { readonly sec: number; readonly nsec: number } {
  const sec = Math.floor(us / 1e6);
  return { sec, nsec: (us - sec * 1e6) * 1000 };
}

/**
 * All players of a world at one time, in microseconds since 1970. A player that is not in the next update within
 * `lifetimeMs` disappears.
 */
export function sceneOf(tracks: readonly Track[], us: number, lifetimeMs: number): string {
  const timestamp = timeOf(us);
  const lifetime = timeOf(lifetimeMs * 1000);
  const entities = tracks.map(({ player, room, position, velocity, facingTurns, stance, source }) => {
    const { x, y, z, level } = position;
    const length = z !== undefined ? LENGTH_3D : level !== undefined ? LENGTH_TILES : LENGTH_PIXELS;
    const half = facingTurns * Math.PI;
    return {
      timestamp,
      frame_id: room,
      id: String(player),
      lifetime,
      frame_locked: false,
      metadata: [
        { key: "stance", value: stance },
        { key: "source", value: source },
        {
          key: "velocity",
          value: velocity.z === undefined ? `${velocity.x} ${velocity.y}` : `${velocity.x} ${velocity.y} ${velocity.z}`,
        },
        ...(level === undefined ? [] : [{ key: "level", value: String(level) }]),
      ],
      arrows: [
        {
          pose: {
            position: { x, y, z: z ?? level ?? 0 },
            orientation: { x: 0, y: 0, z: Math.sin(half), w: Math.cos(half) },
          },
          shaft_length: length,
          shaft_diameter: length / 4,
          head_length: length / 2,
          head_diameter: length / 2,
          color: colors[source],
        },
      ],
      cubes: [],
      spheres: [],
      cylinders: [],
      lines: [],
      triangles: [],
      texts: [],
      models: [],
    };
  });
  return JSON.stringify({ deletions: [], entities });
}
