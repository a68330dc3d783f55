import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { MapError, type WorldMaps } from "wirewalk/protocol";
import { mapAnswer } from "./map-answers.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const maps: WorldMaps = {
  game: "maplestory",
  name: "towns",
  places: () => ["1", "broken"],
  summary: () => undefined,
  digest: () => undefined,
  parts(place) {
    if (place === "broken") throw new MapError("broken.img.xml, line 3: no coordinates");
    return place === "1" ? { mapId: 1, footholds: [] } : undefined;
  },
};

async function open(): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  const answer = mapAnswer((world) =>
    world === "maplestory" ? maps : world === "old" ? { ...maps, ...{ parts: undefined as never } } : undefined,
  );
  const server = createServer((request, response) => answer(request.url ?? "", request, response)).listen(0);
  servers.push(server);
  await once(server, "listening");
  return (path, init) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
}

test("the answer has a place of a world as JSON; a client that has it already receives 304", async () => {
  const get = await open();
  const answer = await get("/maps/maplestory/1");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(await answer.json()).toEqual({ mapId: 1, footholds: [] });
  const etag = answer.headers.get("etag") ?? "";
  const again = await get("/maps/maplestory/1", { headers: { "if-none-match": etag } });
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  const other = await get("/maps/maplestory/1", { headers: { "if-none-match": '"other"' } });
  expect(await other.json()).toEqual({ mapId: 1, footholds: [] });
  const head = await get("/maps/maplestory/1", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test.each([
  ["/maps/maplestory/2", 204, /^$/],
  ["/maps/slime/1", 204, /^$/],
  ["/maps/old/1", 204, /^$/],
  ["/maps/maplestory", 404, /at \/maps\/WORLD\/PLACE/],
  ["/maps/maplestory/1/2", 404, /at \/maps\/WORLD\/PLACE/],
  ["/maps/maplestory/%ff", 404, /at \/maps\/WORLD\/PLACE/],
  ["/maps//1", 404, /at \/maps\/WORLD\/PLACE/],
  [`/maps/maplestory/${"1".repeat(65)}`, 404, /at \/maps\/WORLD\/PLACE/],
  ["/maps/maplestory/broken", 422, /broken\.img\.xml, line 3: no coordinates/],
] as const)("%s is answered with %i", async (path, status, reason) => {
  const get = await open();
  const answer = await get(path);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toMatch(reason);
});
