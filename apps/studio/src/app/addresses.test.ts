import { expect, test } from "vitest";
import { playerNames } from "../feed/player-names.ts";
import { feedUrl, gameUrl } from "./game-url.ts";
import { readPlace, writePlace } from "./place.ts";
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
  ["#slime", undefined],
  ["#slime/", undefined],
  ["#slime/%E0%A4%A", undefined],
  ["#slime/3", { world: "slime", room: "3" }],
])("the place in the address %j", (hash, place) => {
  expect(readPlace(hash)).toEqual(place);
});

test("a place leads back to itself", () => {
  const place = { world: "scrap-mechanic", room: "a/b #1" };
  expect(readPlace(writePlace(place))).toEqual(place);
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
