/** The worker's side of a dropped recording, and the page's end of it, without a browser. */
import type { FeedMessage, FeedRequest } from "@wirewalk/server/feed";
import { beforeAll, expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../../packages/recording/src/testing/record-play.ts";
import { sessionFile } from "../../../../packages/recording/src/testing/session-file.ts";
import { type Connection, FeedClient } from "../feed/feed-client.ts";
import type { FromPlayer, ToPlayer } from "./messages.ts";
import { servePlayer } from "./player.ts";
import { PlayerSocket, type PlayerWorker } from "./player-socket.ts";

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  const protocol = protocols["slime-online-2"] as PlayableProtocol;
  bytes = (await recordPlay({ protocol, bots: 4, durationMs: 6_000 })).sink.bytes();
});

/** A worker in the same thread: what is posted arrives a moment later, as a copy. */
class FakeWorker implements PlayerWorker {
  onmessage: PlayerWorker["onmessage"] = null;
  onerror: PlayerWorker["onerror"] = null;
  isTerminated = false;
  readonly clock = new VirtualClock();
  readonly #inner: { onmessage: ((event: { readonly data: ToPlayer }) => void) | null };

  constructor() {
    const inner = {
      onmessage: null as ((event: { readonly data: ToPlayer }) => void) | null,
      postMessage: (message: FromPlayer): void => {
        const data = structuredClone(message);
        queueMicrotask(() => this.onmessage?.({ data }));
      },
    };
    this.#inner = inner;
    servePlayer({ port: inner, protocols, clock: this.clock });
  }

  postMessage(message: ToPlayer): void {
    // A Blob is shared, not copied.
    queueMicrotask(() => this.#inner.onmessage?.({ data: message }));
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

function play(file: Blob, name = "play.mcap") {
  const worker = new FakeWorker();
  const shares: number[] = [];
  const connections: Connection[] = [];
  const messages: FeedMessage[] = [];
  let players = 0;
  const client = new FeedClient({
    openSocket: () => new PlayerSocket(Object.assign(file, { name }), worker, (share) => shares.push(share)),
    clock: new VirtualClock(),
    onConnection: (connection) => connections.push(connection),
    onMessage: (message) => messages.push(message),
    onTracks: ({ tracks }) => {
      players = Math.max(players, tracks.size);
    },
  });
  const send = async (request: FeedRequest): Promise<void> => {
    client.send(request);
    await moment();
  };
  return { worker, client, connections, messages, shares, send, mostPlayers: () => players };
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

async function refusal(file: Blob, name?: string): Promise<string> {
  const { connections, worker } = play(file, name);
  await expect.poll(() => connections.at(-1)?.state).toBe("refused");
  expect(worker.isTerminated).toBe(true);
  const last = connections.at(-1);
  return last?.state === "refused" ? last.reason : "";
}

test("the page's client reads a recording from the worker as it reads a server", async () => {
  const { worker, connections, messages, send, mostPlayers } = play(new Blob([bytes]));
  await expect.poll(() => connections.at(-1)?.state).toBe("open");
  expect(messages[0]).toMatchObject({ type: "hello", worlds: [{ playback: { file: "play.mcap" } }] });
  await send({ type: "watch", world: "slime-online-2", room: "1" });
  worker.clock.advanceBy(1_000);
  await moment();
  expect(mostPlayers()).toBeGreaterThan(0);
  expect(messages.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["hello", "rooms", "players", "bans", "playback", "marks", "wire", "rates"]),
  );
  await send({ type: "pause" });
  const state = messages.findLast((message) => message.type === "playback");
  expect(state?.type === "playback" && state.playback.isPlaying).toBe(false);
});

test("a session of MapleShark plays with the messages of both sides, and says what of it cannot be read", async () => {
  const whole = await sessionFile({
    protocol: protocols.maplestory as PlayableProtocol,
    protocols,
    format: "mapleshark",
    dialect: "v83",
    bots: 3,
    durationMs: 6_000,
  });
  const { worker, connections, messages, shares, send, mostPlayers } = play(new Blob([whole.slice(0, -2)]), "a.msb");
  await expect.poll(() => connections.at(-1)?.state, { timeout: 20_000 }).toBe("open");
  expect(shares.at(-1)).toBe(1);
  expect(messages[0]).toMatchObject({ worlds: [{ protocol: "maplestory", dialect: "v83" }] });
  const rooms = messages.find((message) => message.type === "rooms");
  const room = rooms?.type === "rooms" ? rooms.rooms[0]?.room : undefined;
  await send({ type: "watch", world: "maplestory", room: room ?? "" });
  for (let turn = 0; turn < 100; turn += 1) worker.clock.advanceBy(50);
  await moment();
  expect(mostPlayers()).toBeGreaterThan(0);
  const wire = messages.flatMap((message) => (message.type === "wire" ? message.records : []));
  expect(new Set(wire.map(({ sender }) => sender))).toEqual(new Set(["client", "server"]));
  const state = messages.findLast((message) => message.type === "playback");
  expect(state?.type === "playback" && state.playback).toMatchObject({
    damage: expect.stringMatching(/^Cannot read record \d+: .+ What stands before it is played\.$/),
    difference: null,
    gameMs: null,
  });
});

test("a text, a capture and a cut recording are refused with the reason, the last one with the place of the damage", async () => {
  expect(await refusal(new Blob(["no recording"]))).toBe(
    "Cannot read the file: it begins neither as a recording (mcap), nor as a session of RSProx or MapleShark, nor as a capture (pcap or pcapng)",
  );
  const pcap = Uint8Array.of(0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0);
  expect(await refusal(new Blob([pcap]), "a.pcap")).toBe("Cannot play a.pcap: it is a capture, which has no world");
  expect(await refusal(new Blob([bytes.subarray(0, 40)]))).toMatch(
    /^Cannot replay: .+ A part of the file cannot be read: bytes \d+ to 40 \(.+\)$/,
  );
});

test("a worker that breaks or cannot be loaded ends the playback with the reason", () => {
  const { worker, connections } = play(new Blob([bytes]));
  worker.onerror?.({ message: "RangeError: no such player" });
  expect(connections.at(-1)).toMatchObject({ state: "refused", reason: expect.stringContaining("no such player") });
  const other = play(new Blob([bytes]));
  other.worker.onerror?.({});
  expect(other.connections.at(-1)).toMatchObject({ reason: expect.stringContaining("could not be loaded") });
});

test("a closed client ends the worker and receives nothing more", async () => {
  const { worker, client, connections, messages } = play(new Blob([bytes]));
  await expect.poll(() => connections.at(-1)?.state).toBe("open");
  client.close();
  expect(worker.isTerminated).toBe(true);
  const count = messages.length;
  worker.clock.advanceBy(1_000);
  await moment();
  expect(messages.length).toBe(count);
  expect(connections.at(-1)?.state).toBe("open");
});
