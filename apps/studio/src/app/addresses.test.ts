import { expect, test } from "vitest";
import { playerNames } from "../feed/player-names.ts";
import { readAddress, writeAddress } from "./address.ts";
import { feedUrl, gameUrl } from "./game-url.ts";
import { visitorAccount } from "./visitor.ts";

const page = { protocol: "http:", host: "127.0.0.1:7400" };

test("sockets are where the page is, encrypted when it is", () => {
  expect(feedUrl(page)).toBe("ws://127.0.0.1:7400/ws/studio");
  expect(feedUrl({ protocol: "https:", host: "example.org" })).toBe("wss://example.org/ws/studio");
});

test("a game's address carries room, account and token, whatever is in them", () => {
  const url = gameUrl(page, "/ws/slime", { room: "a&b=c", account: "me", viewer: "t" });
  expect(url).toBe("ws://127.0.0.1:7400/ws/slime?room=a%26b%3Dc&account=me&viewer=t");
  expect(gameUrl(page, "/ws/slime", { room: "1", account: "me", viewer: undefined })).not.toContain("viewer");
});

test.each([
  ["", undefined],
  ["#", undefined],
  ["#watch", undefined],
  ["#inspect?d=slime", undefined],
  ["#slime/%E0%A4%A", undefined],
  ["#slime", { world: "slime" }],
  ["#slime/", { world: "slime" }],
  ["#slime/3", { world: "slime", room: "3" }],
  ["#slime/3?player=7", { world: "slime", room: "3", player: 7 }],
  ["#slime/3?player=7&verdict=13250", { world: "slime", room: "3", player: 7, verdictMs: 13_250 }],
  ["#slime?at=12500", { world: "slime", atMs: 12_500 }],
  ["#slime?of=7&rule=a%20b&last=60", { world: "slime", filter: { player: 7, rule: "a b", lastSeconds: 60 } }],
  ["#slime?of=x&rule=&last=1m", { world: "slime" }],
  ["#slime/3?player=-7&verdict=1e9&at=&x=1", { world: "slime", room: "3" }],
])("the address %j", (hash, address) => {
  const none = { room: undefined, player: undefined, verdictMs: undefined, atMs: undefined, filter: undefined };
  expect(readAddress(hash)).toEqual(address && { ...none, ...address });
});

test("an address leads back to itself", () => {
  const filter = { player: 3, rule: "a&b=c", lastSeconds: 10 };
  const address = { world: "scrap-mechanic", room: "a/b #1?x", player: 3, verdictMs: 9, atMs: 0, filter };
  expect(readAddress(writeAddress(address))).toEqual(address);
});

test("a browser keeps its account, one that keeps nothing gets one for the visit", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const account = visitorAccount(storage);
  expect(account).toMatch(/^guest-[a-z0-9]{4}$/);
  expect(visitorAccount(storage)).toBe(account);
  const forbidden = (): never => {
    throw new Error("denied");
  };
  expect(visitorAccount({ getItem: forbidden, setItem: forbidden })).toMatch(/^guest-/);
});

test("players with the same name are distinguished by their number", () => {
  const names = playerNames([
    { player: 1, name: "player", room: "1" },
    { player: 2, name: "player", room: "1" },
    { player: 3, name: "anna", room: "1" },
    { player: 4, name: "", room: "1" },
  ]);
  expect([...names.values()]).toEqual(["player #1", "player #2", "anna", "#4"]);
});
