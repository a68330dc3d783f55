import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import type { NetworkConditions } from "../../net/index.ts";
import { simulate } from "../../testing/simulation.ts";
import { wireErrorOf } from "../../wire/testing/check-layout.ts";
import { findExamples, runExample } from "../../wire/testing/run-examples.ts";
import * as exports from "./index.ts";

const { osrs } = exports;
const small = Uint8Array.of(34, 0, 0, 0x58, 0x60);

describe("the game's channel", () => {
  const ends = (carrier: "stream" | "message", dialect = "client") => ({
    client: osrs.openChannel({ side: "client", dialect, carrier }),
    server: osrs.openChannel({ side: "server", dialect, carrier }),
  });

  it("carries a packet as opcode, size and body over a stream, as opcode and body in a message", () => {
    const message = osrs.codec("client").read("client", small);
    expect(ends("stream").client.write(message)).toEqual(Uint8Array.of(34, 4, 0, 0, 0x58, 0x60));
    expect(ends("message").client.write(message)).toEqual(small);
  });

  it.each(["stream", "message"] as const)("reads at one end what the other wrote: %s", (carrier) => {
    const { client, server } = ends(carrier);
    const message = osrs.codec("client").read("client", small);
    server.push(client.write(message));
    expect(server.next()).toEqual({ payload: small, message });
    expect(server.next()).toBeUndefined();
  });

  it("skips a packet without a header, and loses its place at an opcode that it does not know", () => {
    const { server } = ends("stream");
    server.push(Uint8Array.of(34, 1, 0, 34, 4, 0, 0, 0x58, 0x60, 35));
    expect(server.next()?.error?.code).toBe("truncated");
    expect(server.next()?.message?.value.records).toHaveLength(1);
    expect(wireErrorOf(() => server.next())?.code).toBe("unknown-message");
  });

  it("says nothing from the server yet", () => {
    const { client } = ends("stream");
    client.push(Uint8Array.of(34));
    expect(wireErrorOf(() => client.next())?.code).toBe("unknown-message");
  });
});

describe("opcodes", () => {
  it("are what the installation says", () => {
    const other = osrs.configure?.({ mouseOpcode: 90 });
    const message = osrs.codec("client").read("client", small);
    expect(other?.settings?.mouseOpcode?.default).toBe(90);
    expect(other?.codec("client").write("client", message)).toEqual(Uint8Array.of(90, 0, 0, 0x58, 0x60));
    expect(wireErrorOf(() => other?.codec("client").read("client", small))?.code).toBe("unknown-message");
  });

  it.each([{ mouseOpcode: 256 }, { mouseOpcode: -1 }, { mouseOpcode: 1.5 }, { walkOpcode: 1 }])(
    "are bytes of messages that exist: %o is refused",
    (settings) => {
      expect(() => osrs.configure?.(settings as Record<string, number>)).toThrow(RangeError);
    },
  );
});

describe("hands at their mice, through bad networks", () => {
  const conditions: NetworkConditions = {
    latencyMs: { low: 20, high: 240 },
    jitterMs: 60,
    stall: { everyMs: 30_000, durationMs: 2000 },
  };
  const play = (cheat: string, dialect = "client") => {
    const random = createRandom(7);
    const bots = Array.from({ length: 12 }, (_, number) => ({
      bot: osrs.createBot({ dialect, random: random.fork(), number, cheat, part: "mouse" }),
      joining: { account: `a${number}`, name: `mouse ${number}` },
      startMs: number * 50,
      listens: false,
    }));
    const world = { dialect, seed: 1 };
    return simulate({ protocol: osrs, world, seed: 7, durationMs: 180_000, conditions, bots });
  };

  it.each(["client", "native", "documented"])("nobody is suspected who plays by hand: %s", (dialect) => {
    const { verdicts, bans, refused, received } = play("none", dialect);
    expect(verdicts.filter(({ kind }) => kind !== "accept" && kind !== "benign")).toEqual([]);
    expect([bans.length, refused]).toEqual([0, 0]);
    expect(received).toBeGreaterThan(500);
  });

  it.each(osrs.cheats)("%s is found, by evidence alone", (cheat) => {
    const { verdicts, bans } = play(cheat);
    const flagged = new Set(verdicts.filter(({ kind }) => kind === "flag").map(({ player }) => player));
    expect(flagged.size).toBe(12);
    expect(verdicts.every(({ kind }) => kind === "flag" || kind === "benign")).toBe(true);
    expect(bans).toEqual([]);
    // The evidence is the packet as it was carried, which the codec opens again.
    for (const { message } of verdicts) expect(osrs.codec("client").trace("client", message).error).toBeUndefined();
  });
});

it.each(["index.ts", "framing.ts"])("the example of %s is true", (file) => {
  for (const example of findExamples(readFileSync(new URL(file, import.meta.url), "utf8")))
    runExample(example, exports);
});
