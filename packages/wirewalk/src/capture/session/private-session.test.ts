import { describe, expect, it } from "vitest";
import { protocols } from "../../protocols/table.ts";
import { parseHex, WireError } from "../../wire/index.ts";
import { PrivateRecords } from "../private-records.ts";
import type { CaptureRecord } from "../records.ts";
import { PrivateHosts, PrivateSession } from "./private-session.ts";
import type { SessionHeader, SessionRecord } from "./session.ts";

const header: SessionHeader = {
  format: "mapleshark",
  protocol: "maplestory",
  dialect: "v83",
  settings: {},
  startMs: 0,
  flow: "10.0.0.7:5000-10.0.0.1:8484",
  fields: { build: 83, localEndpoint: "10.0.0.1:8484", remoteEndpoint: "10.0.0.7:5000", localPort: 5000, owner: "Ann" },
};

function given(head: SessionHeader, records: readonly SessionRecord[]) {
  const heads: SessionHeader[] = [];
  const payloads: Uint8Array[] = [];
  const sink = {
    header: (each: SessionHeader) => void heads.push(each),
    record: ({ payload }: SessionRecord) => void payloads.push(payload),
    fault: () => {},
  };
  const session = new PrivateSession({ protocols, whose: "others" }, sink);
  session.header(head);
  for (const record of records) session.record(record);
  return { head: heads[0], payloads };
}

const record = (hex: string, more: Partial<SessionRecord> = {}): SessionRecord => {
  return { number: 1, byteOffset: 0, timeMs: 0, sender: "server", payload: parseHex(hex), ...more };
};

describe("a session", () => {
  it("has addresses of documentation in its flow and in its fields, and no field that is not known", () => {
    const { head } = given(header, []);
    expect(head?.flow).toBe("192.0.2.1:5000-192.0.2.2:8484");
    expect(head?.fields).toEqual({
      build: 83,
      localEndpoint: "192.0.2.2:8484",
      remoteEndpoint: "192.0.2.1:5000",
      localPort: 5000,
    });
  });

  it("of RSProx has no hash of an account, and keeps the host of its world", () => {
    const fields = { accountHash: "37aa", worldHost: "world.example", clientName: "Client" };
    const flow = "client-world.example:43594";
    const rsprox = { ...header, format: "rsprox", protocol: "osrs", dialect: "client", settings: { revision: 223 } };
    const { head } = given({ ...rsprox, flow, fields }, []);
    expect(head?.flow).toBe(flow);
    expect(head?.fields).toEqual({ ...fields, accountHash: "0000" });
  });

  it("keeps the greeting, and gives zeros for a message that is not described", () => {
    const greeting = record("ff ff 0e 00 53 00", { fields: { greeting: true } });
    const { payloads } = given(header, [greeting, record("77 02 41 6e 6e")]);
    expect(payloads).toEqual([greeting.payload, parseHex("77 02 00 00 00")]);
  });
});

describe("hosts", () => {
  it.each([
    ["[2001:db8::1]:50-10.0.0.1:60", "192.0.2.1:50-192.0.2.2:60"],
    ["client-host:60", "192.0.2.1-192.0.2.2:60"],
    ["Ann:1-server:0", "192.0.2.1:1-192.0.2.2:0"],
  ])("of %s", (flow, expected) => expect(new PrivateHosts().flow(flow)).toBe(expected));
});

describe("records", () => {
  const base = { time: { seconds: 0, nanoseconds: 0 }, packet: 1, flow: "10.0.0.7:1-10.0.0.1:2" };
  const slime = { ...base, protocol: "slime-online-2", dialect: "v0106" };
  const records = () => new PrivateRecords({ protocols, whose: "others" });

  it("are read again from their payloads", () => {
    const chat: CaptureRecord = {
      ...slime,
      kind: "message",
      direction: "client",
      message: "chat",
      value: { text: "Ann" },
      payload: parseHex("11 00 41 6e 6e 00"),
    };
    expect(records().record(chat)).toEqual({
      ...chat,
      flow: "192.0.2.1:1-192.0.2.2:2",
      value: { text: "" },
      payload: parseHex("11 00 00"),
    });
  });

  it("that were refused have neither their bytes nor their text", () => {
    const error = new WireError("bad-value", 'Cannot read name: "Ann" at byte 3', 24, "name");
    const refused = { ...slime, kind: "refused", direction: "server", error, payload: parseHex("41 6e 6e") } as const;
    const shown = records().record(refused);
    expect(shown).toMatchObject({ payload: new Uint8Array(3) });
    expect(JSON.stringify(shown)).not.toContain("Ann");
    expect(shown).toMatchObject({ error: { code: "bad-value", bitOffset: 24 } });
  });

  it("of a message that another setting reads are refused instead of shown", () => {
    const other = { ...slime, kind: "message", direction: "client", message: "warp", value: null } as const;
    expect(() => records().record({ ...other, payload: parseHex("11 00 41 00") })).toThrow("warp of the file is chat");
  });
});
