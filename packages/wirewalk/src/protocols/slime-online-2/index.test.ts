import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Refusal } from "../world.ts";
import { slimeOnline2 } from "./slime-online-2.ts";
import { slimeRules } from "./world/rules.ts";

describe("admission", () => {
  it("needs a login in v0106 alone", () => {
    expect(slimeOnline2.capabilities.login?.admission("documented")).toBeUndefined();
    expect(slimeOnline2.capabilities.login?.admission("documentedLittleEndian")).toBeUndefined();
    expect(slimeOnline2.capabilities.login?.admission("v0106")).toBeDefined();
    expect(() => slimeOnline2.capabilities.login?.admission("v0107")).toThrow(RangeError);
  });

  it("is by name and password, without case", () => {
    const admission = slimeOnline2.capabilities.login?.admission("v0106");
    const value = { version: "0.106", user: "AnnÉ", password: "Secret", mac: "" };
    expect(admission?.credentials({ message: "login", value })).toEqual({ name: "anné", password: "secret" });
    expect(admission?.credentials({ message: "ping", value: {} })).toBeUndefined();
  });

  it.each<[Refusal, number]>([
    ["no-account", 2],
    ["wrong-password", 3],
    ["already-online", 4],
    ["wrong-version", 5],
    ["banned", 6],
    // The game has no message for it: the nearest that its client shows.
    ["bad-room", 2],
  ])("%s is LOGIN %i", (reason, code) => {
    const refusal = slimeOnline2.capabilities.login?.admission("v0106")?.refusal(reason);
    if (refusal === undefined) throw new Error("no message for it");
    expect(slimeOnline2.codec("v0106").write("server", refusal)).toEqual(Uint8Array.of(10, 0, code));
  });

  it.each<Refusal>(["full", "unavailable"])("%s has no LOGIN result, so none is sent", (reason) => {
    expect(slimeOnline2.capabilities.login?.admission("v0106")?.refusal(reason)).toBeUndefined();
  });
});

it("has a name, a title and a port", () => {
  expect(slimeOnline2).toMatchObject({ name: "slime-online-2", defaultPort: 5555 });
  expect(slimeOnline2.dialects.map(({ name }) => name)).toEqual(["documented", "documentedLittleEndian", "v0106"]);
  for (const { name } of slimeOnline2.dialects) expect(slimeOnline2.codec(name).messages.length).toBeGreaterThan(0);
});

it("the guide has every rule in its table, and no other", () => {
  const guide = readFileSync(new URL("../../../../../docs/slime-online-2.md", import.meta.url), "utf8");
  const rows = guide.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \| (?:reject|correct|flag|benign)\b/gm);
  const names = Array.from(rows, ([, cell = ""]) => cell.replaceAll("`", "").split(", ")).flat();
  expect(names.toSorted()).toEqual([...slimeRules].sort());
});
