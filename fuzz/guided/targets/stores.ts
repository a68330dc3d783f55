/** What a server reads from its own disk: records of bans and accounts, and the database file. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Target } from "../target.ts";
import { changeValue } from "./change-value.ts";
import { piecesOf, scriptOf } from "./script.ts";

const verdict = { kind: "correct", rule: "teleport", reason: "far", player: 1, room: "1", atMs: 5, message: "00" };

/** Records as servers write them, by table. */
const records: readonly (readonly [table: string, key: string, record: object])[] = [
  [
    "typed-bans",
    "osrs/login:ann",
    {
      protocol: "osrs",
      key: "login:ann",
      name: "Ann",
      rule: "teleport",
      reason: "far",
      fromMs: 1000,
      fromRunMs: 0,
      durationMs: 3_600_000,
    },
  ],
  [
    "typed-bans",
    "maplestory/address:192.0.2.7",
    {
      protocol: "maplestory",
      key: "address:192.0.2.7",
      name: "x",
      rule: "gain",
      reason: "r",
      fromMs: 900,
      fromRunMs: 10,
      durationMs: 60_000,
    },
  ],
  ["ban-evidence", "osrs/login:ann", { verdicts: [verdict] }],
  [
    "bans",
    "osrs/ann",
    { protocol: "osrs", account: "ann", reason: "r", fromMs: 10, untilMs: 9_000_000, evidence: [verdict] },
  ],
  ["accounts", "osrs/ann", { hash: "00", salt: "00" }],
  ["ban-clock", "running", { ranMs: 50_000, offsetMs: 1000, seenRanMs: 10 }],
  ["schema", "bans", { version: 1 }],
];

/** An input: pieces, each the number of a record and changes to it. A record of a number over 127 is left out. */
export const storeRecords: Target = {
  name: "store records",
  summary: "changed records of bans and accounts: a server starts or says why not, shows its bans, and keeps a new one",
  cover: /packages\/server\/src\/\w+\/(?:bans|ban-clock|migrate-bans|ban-key|accounts)\.ts$/,
  maxBytes: 160,
  async open() {
    const { memoryStore, VirtualClock } = await import("wirewalk/net");
    const { Bans, banText } = await import("../../../packages/server/src/bans/bans.ts");
    const { Accounts } = await import("../../../packages/server/src/admission/accounts.ts");
    const { defaultBudgets } = await import("../../../packages/server/src/session/budgets.ts");
    const key = "login:bob" as never;
    return {
      seeds: [
        scriptOf([]),
        ...records.map((_, number) => scriptOf([Uint8Array.of(number), Uint8Array.of(number, 1, 5, 40)])),
        ...Array.from({ length: 60 }, (_, at) => scriptOf([Uint8Array.of(at % 2, at, at * 7, at * 3)])),
        scriptOf([Uint8Array.of(131), Uint8Array.of(134), Uint8Array.of(6, 0, 2, 2)]),
      ],
      run(script) {
        const store = memoryStore();
        const changed = new Map<number, unknown>();
        for (const piece of piecesOf(script)) {
          const number = ((piece[0] ?? 0) % 128) % records.length;
          const [, , record] = records[number] as (typeof records)[number];
          const holder = { value: structuredClone(record) as unknown };
          changeValue(holder, piece.subarray(1), true);
          changed.set(number, (piece[0] ?? 0) > 127 ? undefined : holder.value);
        }
        records.forEach(([table, at, record], number) => {
          const value = changed.has(number) ? changed.get(number) : record;
          // A store holds objects: what else a file may have is the other target's.
          if (typeof value === "object" && value !== null && !Array.isArray(value))
            store.put(table, at, value as never);
        });
        const clock = new VirtualClock();
        const open = (): InstanceType<typeof Bans> | undefined => {
          try {
            return new Bans(store, { clock, epochNow: () => 2_000_000 + clock.now() });
          } catch (error) {
            // Of a newer server.
            if (error instanceof Error && error.message.startsWith("Cannot read bans:")) return undefined;
            throw error;
          }
        };
        const bans = open();
        new Accounts(store, defaultBudgets).list();
        if (bans === undefined) return;
        for (const ban of bans.list()) {
          banText(ban);
          if (bans.find(ban.protocol, ban.key)?.untilMs !== ban.untilMs)
            throw new Error(`${banText(ban)} is shown and not found`);
          if (!(ban.untilMs > 2_000_000)) throw new Error(`${banText(ban)} is over and in force`);
          JSON.stringify(bans.evidence(ban.protocol, ban.key));
        }
        bans.add("osrs", { key, name: "Bob", reason: "r", durationMs: 60_000, evidence: [] });
        bans.poll();
        bans.close();
        const again = open()?.find("osrs", key);
        if (again === undefined || again.durationMs !== 60_000)
          throw new Error(`The new ban is ${JSON.stringify(again)} after a restart`);
      },
    };
  },
};

/** An input: places in the file and the bytes that stand there, three each; the first byte says where the file is cut. */
export const databaseFiles: Target = {
  name: "database files",
  summary: "a damaged database: the server says that it cannot keep data, or names the record that it cannot read",
  cover: /packages\/server\/src\/\w+\/sqlite-store\.ts$/,
  maxBytes: 61,
  async open() {
    const { sqliteStore } = await import("../../../packages/server/src/store/sqlite-store.ts");
    const folder = mkdtempSync(join(tmpdir(), "wirewalk-fuzz-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "wirewalk.sqlite");
    const first = sqliteStore(folder);
    for (const [table, key, record] of records) first.put(table, key, record as never);
    first.close();
    const sound = readFileSync(file);
    const good = join(folder, "good.sqlite");
    copyFileSync(file, good);
    // Where records stand in the file: pages may hold old copies beside them.
    const texts: number[] = [];
    for (let at = sound.indexOf('{"'); at >= 0; at = sound.indexOf('{"', at + 1)) texts.push(at);
    return {
      seeds: [
        Uint8Array.of(0),
        Uint8Array.of(200),
        ...[0, 16, 18, 28, 100, 103, ...texts.flatMap((at) => [at, at + 2, at + 9])].map((at) =>
          Uint8Array.of(0, at >> 8, at & 0xff, 0xff),
        ),
      ],
      run(input) {
        const bytes = sound.slice();
        for (let at = 1; at + 2 < input.length; at += 3) {
          bytes[(((input[at] as number) << 8) | (input[at + 1] as number)) % bytes.length] = input[at + 2] as number;
        }
        for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
        writeFileSync(file, bytes.subarray(0, bytes.length - Math.floor(((input[0] ?? 0) * bytes.length) / 256)));
        let store: ReturnType<typeof sqliteStore> | undefined;
        try {
          store = sqliteStore(folder);
          for (const [table, key] of records) {
            const record = store.get(table, key);
            const isRecord =
              record === undefined || (typeof record === "object" && record !== null && !Array.isArray(record));
            if (!isRecord) throw new TypeError(`The record ${key} of ${table} is ${JSON.stringify(record)}`);
            for (const each of store.list(table)) {
              if (typeof each.record !== "object" || each.record === null)
                throw new TypeError(`${table} has ${JSON.stringify(each)}`);
            }
          }
        } catch (error) {
          const { message } = error as Error;
          const isNamed =
            message.startsWith(`Cannot keep data in ${folder}: `) || message.startsWith("Cannot read the record ");
          // SQLite's own words for a file that it finds to be damaged later.
          const isDatabase = (error as NodeJS.ErrnoException).code === "ERR_SQLITE_ERROR";
          if (!isNamed && !isDatabase) throw error;
        } finally {
          store?.close();
        }
        // Whatever the file was: its folder is free again.
        for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
        copyFileSync(good, file);
        const again = sqliteStore(folder);
        const { length } = again.list("typed-bans");
        again.close();
        if (length !== 2) throw new Error(`The sound file has ${length} bans`);
      },
    };
  },
};
