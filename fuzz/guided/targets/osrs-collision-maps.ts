/** Collision maps, and ways on them. */
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

const MAX_BYTES = 1100;
const WEST = 50 * 64;
const TILES = 64;

/** The first four bytes say where a way begins and ends, and which region the others are; then come the bytes of its file. */
export const osrsCollisionMaps: Target = {
  name: "osrs collision maps",
  summary: "a region: refused by a MapError, or read as its bits are counted; a way on it goes by its steps",
  cover: new RegExp(`${src}protocols/osrs/(?:maps/(?!index).*|player-info/movement/way-finder)(?<!\\.test)\\.ts$`),
  maxBytes: MAX_BYTES,
  async open() {
    const { memoryFiles, MapError } = await import("wirewalk/protocol");
    const { Collision, collisionMapsOf, loadMaps, Region } = await import("wirewalk/osrs/maps");
    const { WayFinder } = await import(
      "../../../packages/wirewalk/src/protocols/osrs/player-info/movement/way-finder.ts"
    );
    const run: Run = ([fromTile = 0, toTile = 0, turn = 0, kind = 0, ...rest]) => {
      // A file that is longer than a region.
      const bytes = Uint8Array.from(kind === 255 ? new Array(4097).fill(1) : rest);
      const names =
        kind % 8 === 7 ? ["a/50_50", "b/50_50"] : kind % 8 === 6 ? ["050_50", "50_256"] : ["a/50_50", "51_50"];
      const files = memoryFiles("mine", new Map(names.map((name) => [name, bytes])));
      let problems = 0;
      let maps: ReturnType<typeof loadMaps>;
      try {
        maps = loadMaps(files, { kept: 1 + (kind % 2), onProblem: () => (problems += 1) });
      } catch (error) {
        if (error instanceof MapError && kind % 8 >= 6) return;
        throw error;
      }
      for (let time = 0; time < 2; time++) for (const place of maps.places()) maps.digest(place);
      if (kind === 255) {
        if (problems !== 2 || maps.region(50, 50) !== undefined) throw new Error("A region of 4,097 bytes was taken");
        return;
      }
      const region = maps.region(50, 50);
      if (region === undefined || problems > 0) throw new Error("A region was not read");
      mustBeBits(region, bytes);
      const other = new Region(49, 50, bytes.subarray(turn));
      const set = kind % 4 === 0 ? [region] : [region, other];
      mustFind(new Collision(collisionMapsOf("mine", set)), fromTile, toTile, turn);
      if (maps.digest("50_50") !== new Region(1, 1, Uint8Array.from([...bytes, 0].slice(0, 4096))).digest()) {
        throw new Error("Zeros at the end make another digest");
      }
    };
    return { run, seeds: seedsOf(), words: [Uint8Array.of(0xff, 0xff), Uint8Array.of(0, 0, 0, 0)] };

    function mustBeBits(region: InstanceType<typeof Region>, bytes: Uint8Array): void {
      const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0").split("").reverse().join("")).join("");
      let [north, east] = [0, 0];
      for (let tile = 0; tile < region.levels * TILES * TILES; tile++) {
        const [x, z, level] = [tile % TILES, Math.floor(tile / TILES) % TILES, Math.floor(tile / (TILES * TILES))];
        const found = [region.mayStepNorth(level, WEST + x, WEST + z), region.mayStepEast(level, WEST + x, WEST + z)];
        if (found[0] !== (bits[tile * 2] === "1") || found[1] !== (bits[tile * 2 + 1] === "1")) {
          throw new Error(`Tile ${x}, ${z} on level ${level} is ${found}`);
        }
        north += Number(found[0]);
        east += Number(found[1]);
      }
      const summary = region.summary();
      if (summary.north !== north || summary.east !== east) throw new Error("The summary has other counts");
    }

    function mustFind(collision: InstanceType<typeof Collision>, fromTile: number, toTile: number, turn: number): void {
      const from = { x: WEST + (fromTile & 15), z: WEST + (fromTile >> 4) };
      const to = { x: WEST + (toTile & 15) - (turn & 3), z: WEST + (toTile >> 4) };
      collision.forget();
      const { tiles, arrives } = new WayFinder(collision).findWay(0, from, to);
      let at = from;
      for (const next of tiles) {
        if (collision.mayStep(0, at.x, at.z, next.x - at.x, next.z - at.z) !== true) {
          throw new Error(`The way steps from ${at.x}, ${at.z} to ${next.x}, ${next.z}`);
        }
        if (collision.mayGo(0, at.x, at.z, next.x, next.z) !== true) throw new Error("A step is none of a tick");
        at = next;
      }
      if (arrives !== (at.x === to.x && at.z === to.z))
        throw new Error(`It ends at ${at.x}, ${at.z}, and says ${arrives}`);
      for (const [dx, dz] of [
        [2, 1],
        [-1, 1],
        [-2, -2],
        [0, 2],
      ] as const) {
        collision.mayGo(0, from.x, from.z, from.x + dx, from.z + dz);
        collision.isOpen(1, from.x + dx, from.z + dz);
      }
    }
  },
};

function seedsOf(): readonly Uint8Array[] {
  const comb = Array.from({ length: 128 }, (_, at) => ((at >> 4) % 2 === 0 ? 0b1010_1011 : 0b0101_0101));
  return [
    Uint8Array.of(0, 0x33, 0, 1, ...new Array<number>(300).fill(0xff)),
    Uint8Array.of(0, 0x77, 0, 0, ...comb),
    Uint8Array.of(0x11, 0xff, 3, 2, ...comb, ...comb),
    Uint8Array.of(0, 5, 1, 4, 0b1111_0111, 0xff, 0),
    Uint8Array.of(0, 5, 1, 4, ...new Array<number>(1030).fill(0x5a)),
    Uint8Array.of(0, 0, 0, 6, 1),
    Uint8Array.of(0, 0, 0, 7, 1),
    Uint8Array.of(0, 0, 0, 255),
    Uint8Array.of(0, 9, 0, 1),
  ];
}
