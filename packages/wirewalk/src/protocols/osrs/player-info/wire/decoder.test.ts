import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseHex, Tracer, tilingFault } from "../../../../wire/index.ts";
import { mustAgree } from "../testing/agreement.ts";
import { SecondClient } from "../testing/second-client.ts";
import { PlayerInfoDecoder } from "./decoder.ts";
import { INIT_BYTES } from "./initial-packet.ts";
import { PlayerInfoError } from "./player-info-error.ts";

type Tile = [level: number, x: number, z: number];
type Players = Record<string, Tile>;
interface ScenarioLine {
  scenario: string;
  localIndex: number;
  initHex: string;
  start: Tile;
}
interface TickLine {
  tick: number;
  hex: string;
  players: Players;
}
interface ContextLine {
  defineContext: string;
  localIndex: number;
  initHex: string;
  packets: string[];
  nextValid: string;
  nextPlayers: Players;
}
interface DamagedLine {
  kind: string;
  hex: string;
  verdict: "ok" | "throws";
  why?: string;
  pass?: number;
  stopBit?: number;
  passBits?: number[];
  consumedBytes?: number;
  players?: Players;
}

function jsonLines<T>(name: string): T[] {
  const text = readFileSync(new URL(`../../../../../../../vectors/${name}`, import.meta.url), "utf8");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as T]));
}

function playersOf(decoder: PlayerInfoDecoder): Players {
  return Object.fromEntries(
    Array.from(decoder.locals, (index) => {
      const player = decoder.player(index);
      return [index, [player?.level, player?.x, player?.z] as Tile];
    }),
  );
}

function refusal(work: () => void): PlayerInfoError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(PlayerInfoError);
    return error as PlayerInfoError;
  }
  throw new Error("nothing was refused");
}

describe("packets that the real client has read", () => {
  const lines = jsonLines<ScenarioLine | TickLine>("osrs-player-info-client.jsonl");
  const scenarios: { scenario: ScenarioLine; ticks: TickLine[] }[] = [];
  for (const line of lines) {
    if ("scenario" in line) scenarios.push({ scenario: line, ticks: [] });
    else scenarios.at(-1)?.ticks.push(line);
  }

  it.each(scenarios)("$scenario.scenario: the same players after every packet", ({ scenario, ticks }) => {
    const decoder = new PlayerInfoDecoder({ dialect: "client" });
    decoder.init(parseHex(scenario.initHex), scenario.localIndex);
    expect(playersOf(decoder)).toEqual({ [scenario.localIndex]: scenario.start });
    const second = new SecondClient("client", "none");
    second.init(parseHex(scenario.initHex), scenario.localIndex);
    for (const { hex, players } of ticks) {
      const packet = parseHex(hex);
      const tracer = new Tracer();
      const update = decoder.decode(packet, tracer);
      expect(playersOf(decoder)).toEqual(players);
      mustAgree(second, decoder, packet, update);
      expect(tilingFault(tracer.fields, packet.length)).toBeUndefined();
    }
  });
});

describe("damaged packets", () => {
  const [context, ...packets] = jsonLines<ContextLine | DamagedLine>("osrs-player-info-bad.jsonl") as [
    ContextLine,
    ...DamagedLine[],
  ];
  const codes: Record<string, string> = {
    "read-past-end": "truncated",
    "size-mismatch": "trailing",
    "skip-overrun": "bad-length",
    "local-player-removed": "bad-value",
  };
  const fresh = (): PlayerInfoDecoder => {
    const decoder = new PlayerInfoDecoder({ dialect: "client" });
    decoder.init(parseHex(context.initHex), context.localIndex);
    for (const packet of context.packets) decoder.decode(parseHex(packet));
    return decoder;
  };

  it.each(packets)("$kind $hex: $verdict", (line) => {
    const decoder = fresh();
    const packet = parseHex(line.hex);
    if (line.verdict === "ok") {
      expect(decoder.decode(packet).passBits).toEqual(line.passBits);
      expect(playersOf(decoder)).toEqual(line.players);
      return;
    }
    const error = refusal(() => decoder.decode(packet));
    expect(error.pass).toBe(line.pass);
    // Where the client reads on outside of the world until its buffer ends, we have stopped before.
    const outside = line.why === "read-past-end" && error.message.includes("of the world");
    if (!outside) expect(error.code).toBe(codes[line.why ?? ""]);
    if (line.stopBit !== undefined) expect(error.bitOffset).toBe(line.stopBit);
    if (line.pass === 5) expect(error.bitOffset).toBe((line.consumedBytes ?? 0) * 8);
  });

  it("change nothing: the next packet is read as if they had not come", () => {
    const decoder = fresh();
    for (const { hex, verdict } of packets) {
      if (verdict === "throws") refusal(() => decoder.decode(parseHex(hex)));
    }
    decoder.decode(parseHex(context.nextValid));
    expect(playersOf(decoder)).toEqual(context.nextPlayers);
  });

  it("say where they went wrong: pass, player and bit", () => {
    expect(refusal(() => fresh().decode(parseHex("8fbeb5d11f403fdfd5"))).toJSON()).toEqual({
      code: "bad-value",
      message: "Cannot read player 499: the observer itself is removed at bit 4",
      bitOffset: 4,
      path: "",
      pass: 1,
      index: 499,
      bit: 4,
    });
  });

  it("nothing but 00 and 80 00 may follow for a pending mask while no revision is chosen", () => {
    const add = "0080320322ffe0";
    fresh().decode(parseHex(`${add}00`));
    fresh().decode(parseHex(`${add}8000`));
    for (const flags of ["01", "40", "8001", "8080"]) {
      expect(refusal(() => fresh().decode(parseHex(add + flags)))).toMatchObject({ code: "unknown-variant", index: 1 });
    }
    expect(refusal(() => fresh().decode(parseHex(`${add}80`)))).toMatchObject({ code: "truncated", pass: 5, index: 1 });
  });

  it("the largest packet is the client's buffer", () => {
    expect(refusal(() => fresh().decode(new Uint8Array(40_001)))).toMatchObject({ code: "limit" });
    expect(refusal(() => fresh().decode(new Uint8Array(40_000)))).toMatchObject({ code: "trailing" });
  });

  it("a packet needs an initialisation before it, of exactly 4,608 bytes", () => {
    expect(refusal(() => new PlayerInfoDecoder({ dialect: "client" }).decode(new Uint8Array(9)))).toMatchObject({
      code: "bad-state",
    });
    for (const length of [0, INIT_BYTES - 1, INIT_BYTES + 1]) {
      expect(refusal(() => new PlayerInfoDecoder({ dialect: "client" }).init(new Uint8Array(length), 1))).toMatchObject(
        { pass: 0 },
      );
    }
  });
});
