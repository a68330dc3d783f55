/** One world in a process of its own: plays, then saves, restores and digests, and reports the medians. */
import { serialize } from "node:v8";
import { createRandom } from "wirewalk/motion";
import { protocols } from "wirewalk/protocols";
import { simulate } from "../../packages/wirewalk/src/testing/simulation.ts";
import { contestantTask, endWhenAsked, tell, threadNs } from "../harness.ts";
import type { Report, Scene, Task } from "./workload.ts";

endWhenAsked();

/** Ten in a hundred do something that rules find. */
function cheatOf(number: number, cheats: readonly string[]): string {
  return number % 10 === 9 ? (cheats[((number / 10) % cheats.length) | 0] ?? "none") : "none";
}

function played({ protocol: name, dialect, players, playMs, roomSize, rooms: names }: Scene) {
  const protocol = protocols[name];
  if (protocol === undefined) throw new RangeError(`There is no protocol ${name}`);
  const random = createRandom(1);
  const options = { dialect, seed: 1, demo: true };
  const bots = Array.from({ length: players }, (_, number) => {
    const { rooms } = protocol.bots;
    const room =
      names?.[number % names.length] ??
      (roomSize === undefined ? rooms?.[number % rooms.length] : Math.floor(number / roomSize) + 1);
    const bot = protocol.bots.create({
      dialect,
      random: random.fork(),
      number,
      cheat: cheatOf(number, protocol.bots.cheats),
      ...(room === undefined ? {} : { room: Number.parseInt(String(room), 10) }),
    });
    return {
      bot,
      joining: {
        account: `account${number}`,
        name: `bot${number}`,
        ...(room === undefined ? {} : { room: String(room) }),
      },
      startMs: (number * 1000) / players,
      listens: true,
    };
  });
  const conditions = { latencyMs: { low: 20, high: 120 }, jitterMs: 30 };
  const { world } = simulate({ protocol, world: options, seed: 1, durationMs: playMs, conditions, bots });
  return { world, create: () => protocol.createWorld(options) };
}

/** The kept results: what nobody uses may be compiled away. */
export const kept: unknown[] = [];

function timed(run: () => unknown): number {
  const start = threadNs();
  kept[0] = run();
  return (threadNs() - start) / 1e6;
}

const { scene, rounds } = contestantTask<Task>();
const { world, create } = played(scene);
const saved = world.save();
// As from another process: nothing is shared with the world that was saved.
const copies = Array.from({ length: rounds }, () => structuredClone(saved));
const times = { save: [] as number[], restore: [] as number[], digest: [] as number[] };
for (const copy of copies) {
  const other = create();
  times.restore.push(timed(() => other.restore(copy)));
  times.save.push(timed(() => other.save()));
  times.digest.push(timed(() => other.digest()));
}
tell({
  saveMs: times.save,
  restoreMs: times.restore,
  digestMs: times.digest,
  bytes: serialize(saved).length,
} satisfies Report);
