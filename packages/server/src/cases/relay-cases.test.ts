/** A verdict of a relay as a file, while it runs: with its page the last seconds are in memory, also without recordings. */
import { judgeCase, readCase } from "@wirewalk/recording";
import { nodeDecompress } from "@wirewalk/recording/node";
import { expect, test } from "vitest";
import type { Verdict } from "wirewalk/motion";
import { systemClock } from "wirewalk/net";
import type { ServedProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { moveMessage, slimeOnline2 } from "wirewalk/slime-online-2";
import { startRelay, startServer } from "../index.ts";
import { PlainClient, until } from "../testing/clients.ts";

test("the page of a relay gives a verdict in its seconds, which is judged again as it was given", async () => {
  let found: Verdict | undefined;
  const listeners = [{ protocol: slimeOnline2, dialect: "documented", port: 0 }];
  const server = await startServer({ listeners, enforcement: "log" });
  const relay = await startRelay({
    protocol: slimeOnline2 as ServedProtocol,
    dialect: "documented",
    options: {},
    listen: { host: "127.0.0.1", port: 0 },
    to: { host: "127.0.0.1", port: server.listeners[0]?.port ?? 0 },
    clock: systemClock,
    epochMs: Date.now,
    onEvent: (event) => {
      if (event.event === "verdict" && event.verdict.kind !== "benign") found ??= event.verdict;
    },
    shadow: { seed: 1, demo: false },
    page: { http: 0, studioFolder: undefined },
  });
  const at = `http://127.0.0.1:${relay.pageAddress?.port}`;
  const client = await PlainClient.to(relay.address.port);
  const codec = slimeOnline2.codec("documented");
  for (const [turn, x] of [448, 3000].entries()) {
    const payload = codec.write("client", moveMessage(turn === 0 ? "rightPress" : "rightRelease", x, 160));
    client.send(Buffer.from([payload.length & 0xff, payload.length >> 8, ...payload]));
  }
  await until("the verdict", () => found !== undefined);
  const path = `/cases/slime-online-2/${found?.player}/${Math.floor(found?.atMs ?? 0)}?for=page&rule=${found?.rule}`;
  const file = await readCase(await (await fetch(`${at}${path}`)).text());
  expect(file.damage).toEqual([]);
  expect(file.facts.verdict).toMatchObject({ rule: found?.rule });
  const { isFound, digest } = judgeCase(file, { protocols, decompress: nodeDecompress });
  expect([isFound, digest]).toEqual([true, file.facts.digest]);
  expect((await fetch(`${at}/cases/maplestory/1/5`)).status).toBe(404);
  client.drop();
  await relay.close();
  await server.close({ graceMs: 0 });
});
