/**
 * What a world takes for a path: on the demo map, and on one as large as the largest real ones. Compare two versions by running both in
 * turn: `node bench/maplestory/rules.ts`.
 */
import { type MapleClientMessage, MapleWorld, mapleCodec } from "wirewalk/maplestory";
import { demoMap, type MapleMap, makeMap, mapleMapsOf, portalKinds } from "wirewalk/maplestory/maps";
import { Character } from "wirewalk/maplestory/movement";

const ROUNDS = 20;
const PATHS = 1500;
const codec = mapleCodec("v62");

/** Rows of slopes above each other, with walls at their ends and a spring: nothing of it is simple for the rules. */
function largeMap(): MapleMap {
  const footholds = [];
  let id = 0;
  for (let row = 0; row < 30; row++) {
    for (let column = 0; column < 60; column++) {
      id += 1;
      const [x1, y1] = [column * 90 - 2700, row * 200 + (column % 2) * 20];
      footholds.push({
        id,
        x1,
        y1,
        x2: x1 + 90,
        y2: row * 200 + ((column + 1) % 2) * 20,
        previous: column === 0 ? 0 : id - 1,
        next: column === 59 ? 0 : id + 1,
      });
    }
  }
  const portals = [
    { id: 0, name: "sp", kind: portalKinds.start, x: 0, y: 2900 },
    { id: 1, name: "up", kind: portalKinds.springOfOwn, x: 2000, y: 3000, impactY: 1000 },
  ];
  return makeMap({ mapId: 1, footholds, portals });
}

interface Sent {
  readonly atMs: number;
  readonly message: MapleClientMessage;
  readonly bytes: Uint8Array;
}

function record(map: MapleMap): readonly Sent[] {
  const character = new Character({ dialect: "v62", map, at: map.portals[0] ?? { x: 0, y: 0 }, fieldKey: 1 });
  const sent: Sent[] = [];
  for (let step = 0; sent.length < PATHS; step++) {
    const message = character.step({ right: step % 160 < 80, left: step % 160 >= 80, jump: step % 50 === 0 });
    if (message !== undefined) sent.push({ atMs: step * 30, message, bytes: codec.write("client", message) });
  }
  return sent;
}

function nanosecondsPerPath(map: MapleMap, sent: readonly Sent[]): number {
  const world = new MapleWorld({ dialect: "v62", seed: 1, maps: mapleMapsOf("bench", [map]), enforcement: "log" });
  world.join(1, { account: "a", name: "a" }, 0);
  world.receive(1, { message: "playerLoggedIn", value: { characterId: 1, reserved: 0 } }, new Uint8Array(8), 0);
  const begin = process.hrtime.bigint();
  for (const { atMs, message, bytes } of sent) {
    world.receive(1, message, bytes, atMs + 600);
    world.takeEffects();
  }
  return Number(process.hrtime.bigint() - begin) / sent.length;
}

const cases = [demoMap(1) as MapleMap, largeMap()].map((map) => ({ map, sent: record(map), times: [] as number[] }));
for (let round = 0; round < ROUNDS; round++) {
  for (const { map, sent, times } of cases) times.push(nanosecondsPerPath(map, sent));
}
for (const { map, times } of cases) {
  const median = times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
  process.stdout.write(`${map.footholds.length} footholds: ${Math.round(median)} ns a path\n`);
}
