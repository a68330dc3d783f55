import { expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { loadProtocols } from "./load-protocols.ts";

test.each(Object.keys(protocols))("%s is loaded alone, and is that of the table", async (name) => {
  expect(await loadProtocols(name)).toEqual({ [name]: protocols[name] });
});

test.each([undefined, "slime-onlin-2", "wire", "client", "../wire", "constructor", ""])(
  "without the name of a game, as for %s, all are loaded",
  async (name) => {
    expect(await loadProtocols(name)).toBe(protocols);
  },
);
