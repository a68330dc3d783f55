import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import type { FeedPage } from "./feed-page.ts";
import type { FeedWorld } from "./feed-world.ts";
import { SpectatorFeed } from "./spectator-feed.ts";

const world = (name: string): FeedWorld =>
  ({ name, protocol: fakeProtocol, rooms: () => new Map() }) as unknown as FeedWorld;

const page = (watched: string): FeedPage<string> & { readonly sent: string[] } => {
  const sent: string[] = [];
  return {
    sent,
    token: watched,
    isOver: false,
    isBehind: false,
    watched: { world: watched, room: null },
    self: undefined,
    stream: undefined,
    send: (text) => sent.push(text),
    sendTracks() {},
    checkDeadlines() {},
    watch() {},
    end() {},
  };
};

test("the bans in force are taken once for all worlds, and sent to the pages of each", () => {
  let taken = 0;
  const feed = new SpectatorFeed<FeedPage<string>, string>({
    clock: new VirtualClock(),
    bans: () => {
      taken += 1;
      return (protocol) => ({ version: `${protocol} ${taken}`, bans: [] });
    },
    text: ({ type, ...message }) => ("world" in message ? `${type} ${message.world}` : type),
    carry: (snapshot) => snapshot,
  });
  feed.start([world("a"), world("b")], []);
  const pages = [page("a"), page("b")];
  for (const each of pages) feed.add(each);
  feed.bansChanged();
  expect(taken).toBe(1);
  expect(pages.map(({ sent }) => sent.at(-1))).toEqual(["bans a", "bans b"]);
});
