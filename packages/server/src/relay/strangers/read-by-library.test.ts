/** What the library reads in the bytes of the strangers, without a relay. */
import { expect, onTestFinished, test } from "vitest";
import { namedRevisions, PlayerInfoDecoder } from "wirewalk/osrs/player-info";
import { until } from "../../testing/clients.ts";
import { OsrsClient } from "./testing/osrs-client.ts";
import { startOsrsServer } from "./testing/osrs-server.ts";
import { SERVER } from "./testing/osrs-table.ts";

const TICKS = 120;
const INITIALISATION_BYTES = 4608;

test.each([1, 2])("player info of seed %i shows everybody where the stranger has them", async (seed) => {
  const server = await startOsrsServer({ seed, tickMs: 0, others: 300 });
  onTestFinished(() => server.close());
  const client = await OsrsClient.login({
    port: server.port,
    publicKey: server.publicKey,
    seeds: [5, 6, 7, 8],
    seed,
  });
  onTestFinished(() => client.close());
  for (let count = 0; count < TICKS; count++) {
    server.tick();
    client.play(600);
  }
  const [session] = server.sessions;
  await until("all ticks arrive", () => client.ticks.length === session?.ticks.length);

  const revision = namedRevisions[239];
  if (revision === undefined) throw new Error("Revision 239 has no mask blocks");
  const decoder = new PlayerInfoDecoder({ dialect: "client", revision });
  const rebuilt = client.received.find(({ opcode }) => opcode === SERVER.REBUILD_NORMAL);
  decoder.init(rebuilt?.body.subarray(0, INITIALISATION_BYTES) ?? new Uint8Array(), client.index);
  const moved = new Set<string>();
  const read = client.received.flatMap(({ opcode, body }) => {
    if (opcode !== SERVER.PLAYER_INFO) return [];
    const update = decoder.decode(body);
    for (const { type } of update.moves) moved.add(type);
    expect(update.wouldCrash).toEqual([]);
    const seen = Array.from({ length: 2048 }, (_, index) => [index, decoder.player(index)] as const);
    return [seen.flatMap(([index, at]) => (at === undefined ? [] : [{ index, level: at.level, x: at.x, z: at.z }]))];
  });
  expect(read.length).toBe(TICKS);
  expect(read).toEqual(session?.ticks);
  expect([...moved].toSorted()).toEqual(["far", "near", "run", "walk"]);
});
