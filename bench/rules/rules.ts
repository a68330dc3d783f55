/**
 * What a world of MapleStory takes to judge a path with its map and without, where the rules about places are off: on a demo map, and on
 * one as large as the largest real ones.
 */
import { type MapleClientMessage, MapleWorld, mapleCodec } from "wirewalk/maplestory";
import { demoMap, type MapleMap, makeMap, mapleMapsOf, portalKinds } from "wirewalk/maplestory/maps";
import { Character } from "wirewalk/maplestory/movement";
import { type Benchmark, interleaved, threadNs } from "../harness.ts";
import { median, type Promised, type Report, type Row, ratios } from "../report.ts";

const ROUNDS = 31;
const PATHS = 1500;
/** How much more a path may cost where its map is known. */
const PROMISED = 1.3;
const dialects = ["v62", "documented"] as const;

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

/** A character walks to and fro and jumps now and then. */
function record(dialect: string, map: MapleMap, paths: number): readonly Sent[] {
  const codec = mapleCodec(dialect);
  const character = new Character({ dialect, map, at: map.portals[0] ?? { x: 0, y: 0 }, fieldKey: 1 });
  const sent: Sent[] = [];
  for (let step = 0; sent.length < paths; step++) {
    const message = character.step({ right: step % 160 < 80, left: step % 160 >= 80, jump: step % 50 === 0 });
    if (message !== undefined)
      sent.push({ atMs: step * character.stepMs, message, bytes: codec.write("client", message) });
  }
  return sent;
}

interface Case {
  readonly row: string;
  readonly dialect: string;
  readonly map: MapleMap;
  readonly isKnown: boolean;
  readonly sent: readonly Sent[];
}

function nsPerPath({ dialect, map, isKnown, sent }: Case): number {
  const maps = mapleMapsOf("bench", isKnown ? [map] : []);
  const world = new MapleWorld({ dialect, seed: 1, maps, enforcement: "log" });
  world.join(1, { account: "a", name: "a", room: String(map.mapId) }, 0);
  if (dialect !== "documented")
    world.receive(1, { message: "playerLoggedIn", value: { characterId: 1, reserved: 0 } }, new Uint8Array(8), 0);
  const beginNs = threadNs();
  for (const { atMs, message, bytes } of sent) {
    world.receive(1, message, bytes, atMs + 600);
    world.takeEffects();
  }
  return (threadNs() - beginNs) / sent.length;
}

async function run(quick: boolean): Promise<Report> {
  const paths = quick ? 200 : PATHS;
  const places = [
    { name: "demo map", map: demoMap(1) as MapleMap },
    { name: "1,800 footholds", map: largeMap() },
  ];
  const cases = dialects.flatMap((dialect) =>
    places.flatMap(({ name, map }): Case[] => {
      const common = { row: `${dialect}, ${name}`, dialect, map, sent: record(dialect, map, paths) };
      return [
        { ...common, isKnown: false },
        { ...common, isKnown: true },
      ];
    }),
  );
  const rounds = quick ? 3 : ROUNDS;
  const times = await interleaved(cases, rounds, async (each) => nsPerPath(each));
  const rows = cases
    .filter(({ isKnown }) => isKnown)
    .map((known): Row & { readonly shares: readonly number[] } => {
      const off = cases.find(({ row, isKnown }) => row === known.row && !isKnown) as Case;
      const [offNs, onNs] = [times.get(off) ?? [], times.get(known) ?? []];
      const shares = ratios(onNs, offNs);
      return { name: known.row, isOurs: true, cells: { off: offNs, on: onNs, share: shares }, shares };
    });
  return {
    method: `${rounds} rounds of ${paths} paths each, in turn in one process; processor time of its thread. One player walks to and fro and jumps, and nobody else receives its paths.`,
    tables: [
      {
        id: "paths",
        title: "a path of a MapleStory player, judged",
        rowTitle: "dialect and map",
        columns: [
          { key: "off", title: "ns, map not known", digits: 0 },
          { key: "on", title: "ns, map known", digits: 0 },
          { key: "share", title: "of that", digits: 2, suffix: " x" },
        ],
        rows: rows.map(({ shares: _, ...row }) => row),
      },
    ],
    promises: rows.map(({ name, shares }): Promised => {
      const middle = median(shares);
      return {
        promise: `${name}: with its map <= ${PROMISED} x without`,
        measured: `${middle.toFixed(2)} x`,
        held: middle <= PROMISED,
      };
    }),
    charts: [],
    contenders: [],
    notes: ["Where the map is not known, the rules about flight, footholds, ladders, walls and water are off."],
  };
}

export const rules: Benchmark = {
  summary: "judging paths of MapleStory with their maps and without",
  run,
};
