/** `/verdicts` where nothing can be done about them: the page of a relay, and of a recording that is played. */
import { listVerdicts, type Recording } from "@wirewalk/recording";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "wirewalk/net";
import type { PlayableProtocol, ServedProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { moveMessage, slimeOnline2 } from "wirewalk/slime-online-2";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { type ShownVerdict, startPlayback, startRelay, startServer } from "../index.ts";
import { PlainClient, until } from "../testing/clients.ts";

const ends: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Answer {
  readonly status: number;
  readonly body: { readonly verdicts: readonly ShownVerdict[]; readonly error?: string } & ShownVerdict;
}

async function ask(
  address: { readonly host: string; readonly port: number } | undefined,
  path: string,
  init: RequestInit = {},
): Promise<Answer> {
  const response = await fetch(`http://${address?.host}:${address?.port}${path}`, init);
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

const act = (id: string): [string, RequestInit] => [
  `/verdicts/${id}/actions`,
  { method: "POST", headers: { "content-type": "application/json" }, body: '{"action":"note","reason":"x"}' },
];

describe("a recording that is played", () => {
  let recording: Recording;

  beforeAll(async () => {
    const protocol = protocols["slime-online-2"] as PlayableProtocol;
    recording = (await recordPlay({ protocol, bots: 8, durationMs: 12_000 })).sink.recording();
  });

  it("lists all its verdicts above benign with the ids of recordings, filters them, and takes no actions", async () => {
    const running = await startPlayback({
      recording,
      protocols,
      file: "play.mcap",
      http: 0,
      studioFolder: undefined,
    });
    ends.push(() => running.close());
    const of = (path: string, init?: RequestInit): Promise<Answer> => ask(running.address, path, init);
    const all = [...listVerdicts(recording)].filter(({ verdict }) => verdict.kind !== "benign").reverse();
    expect(all.length).toBeGreaterThan(5);
    const listed = await of("/verdicts?limit=2000");
    expect(listed.body.verdicts.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const [first] = all;
    if (first === undefined) throw new Error("no verdict");
    const { rule, player } = first.verdict;
    const some = all.filter(({ verdict }) => verdict.rule === rule && verdict.player === player);
    const filtered = await of(`/verdicts?world=slime-online-2&rule=${rule}&player=${player}&limit=3`);
    expect(filtered.body.verdicts.map(({ id }) => id)).toEqual(some.slice(0, 3).map(({ id }) => id));
    expect((await of("/verdicts?world=elsewhere")).body.verdicts).toEqual([]);
    expect(await of(`/verdicts/${first.id}`)).toMatchObject({
      status: 200,
      body: { id: first.id, rule, player, name: first.name, actions: [] },
    });
    expect((await of("/verdicts/1-00000000")).status).toBe(404);
    const { status, body } = await of(...act(first.id));
    expect([status, body.error]).toEqual([403, expect.stringContaining("A recording takes no actions")]);
  });
});

describe("a relay with a page", () => {
  it("lists its verdicts, filters them, and takes no actions", async () => {
    const server = await startServer({
      listeners: [{ protocol: slimeOnline2, dialect: "documented", port: 0 }],
      enforcement: "log",
    });
    ends.push(() => server.close({ graceMs: 0 }));
    const relay = await startRelay({
      protocol: slimeOnline2 as ServedProtocol,
      dialect: "documented",
      options: {},
      listen: { host: "127.0.0.1", port: 0 },
      to: { host: "127.0.0.1", port: server.listeners[0]?.port ?? 0 },
      clock: systemClock,
      epochMs: Date.now,
      onEvent: () => {},
      shadow: { seed: 1, demo: false },
      page: { http: 0, studioFolder: undefined },
    });
    ends.push(() => relay.close());
    const client = await PlainClient.to(relay.address.port);
    ends.push(async () => client.drop());
    const codec = slimeOnline2.codec("documented");
    for (const x of [448, 3000]) {
      const payload = codec.write("client", moveMessage(x === 448 ? "rightPress" : "rightRelease", x, 160));
      client.send(Buffer.from([payload.length & 0xff, payload.length >> 8, ...payload]));
    }
    const of = (path: string, init?: RequestInit): Promise<Answer> => ask(relay.pageAddress, path, init);
    let verdicts: readonly ShownVerdict[] = [];
    await until("it is found", () => {
      void of("/verdicts").then(({ body }) => {
        verdicts = body.verdicts;
      });
      return verdicts.length > 0;
    });
    const [verdict] = verdicts;
    if (verdict === undefined) throw new Error("no verdict");
    const { id, rule } = verdict;
    expect(verdict).toMatchObject({ world: "slime-online-2", player: 1, holdsOn: "session", actions: [] });
    expect((await of(`/verdicts?rule=${rule}&player=1`)).body.verdicts.map((each) => each.id)).toContain(id);
    expect((await of("/verdicts?player=2")).body.verdicts).toEqual([]);
    expect((await of(`/verdicts/${id}`)).body).toEqual(verdict);
    const { status, body } = await of(...act(id));
    expect([status, body.error]).toEqual([403, expect.stringContaining("A relay takes no actions")]);
  });
});
