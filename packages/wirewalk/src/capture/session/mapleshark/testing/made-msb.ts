/** Files of every layout, made by the writer, with what they hold. */
import { joinBytes } from "../../../../wire/index.ts";
import type { SessionHeader, SessionRecord } from "../../session.ts";
import { layoutsOf, mapleSharkVersions } from "../versions.ts";
import { MapleSharkWriter } from "../writer.ts";

export type MadeRecord = Omit<SessionRecord, "number" | "byteOffset">;

export interface MadeFile {
  /** `0x2027 MapleShark2 size-32-ivs`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly header: SessionHeader;
  readonly records: readonly MadeRecord[];
  /** Where each record begins; the last one is the end of the file. */
  readonly offsets: readonly number[];
  /** Its version alone does not say its layout. */
  readonly isAmbiguous: boolean;
}

const START_MS = 1_700_000_000_000;

/** The greeting of a server of build 83, and messages of both sides with bodies of 0 to 40 bytes. */
export function madeRecords(count: number, hasIvs: boolean): readonly MadeRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const isGreeting = index === 0;
    const greeting = [14, 0, 83, 0, 1, 0, 0x31, 1, 2, 3, 4, 5, 6, 7, 8, 8];
    const body = Array.from({ length: (index * 7) % 41 }, (_, at) => (at * 37 + index * 11) & 0xff);
    return {
      timeMs: START_MS + index * 37.125,
      sender: index % 3 === 1 ? "client" : "server",
      payload: Uint8Array.from(
        isGreeting ? [0xff, 0xff, ...greeting] : [(0x18 + index) & 0xff, (0x18 + index) >> 8, ...body],
      ),
      ...((isGreeting || hasIvs) && {
        fields: {
          ...(isGreeting && { greeting: true }),
          ...(hasIvs && { ivBefore: (index * 0x1020304) % 0x1_0000_0000, ivAfter: 0xffff_ffff - index }),
        },
      }),
    };
  });
}

/** A file of each layout of each version. */
export function madeFiles(count: number): readonly MadeFile[] {
  return mapleSharkVersions.flatMap((version) => {
    const layouts = layoutsOf(version) ?? [];
    return layouts.map(({ program, records: form }): MadeFile => {
      const records = madeRecords(count, form.ivBytes > 0);
      const endpoints = { localEndpoint: "10.0.0.1:8484", remoteEndpoint: "10.0.0.7:5000" };
      const fields = {
        program,
        version,
        records: form.name,
        time: "ticks",
        build: 83,
        locale: 8,
        ...endpoints,
        localPort: 5000,
        remotePort: 8484,
        patchLocation: "1",
      };
      const header: SessionHeader = {
        format: "mapleshark",
        protocol: "maplestory",
        dialect: "v83",
        settings: {},
        startMs: START_MS,
        flow: "10.0.0.7:5000-10.0.0.1:8484",
        fields,
      };
      const writer = new MapleSharkWriter();
      const parts = [writer.header(header), ...records.map((record) => writer.record(record))];
      let at = 0;
      const offsets = parts.map(({ length }) => {
        at += length;
        return at;
      });
      const name = `0x${version.toString(16)} ${program} ${form.name}`;
      return { name, bytes: joinBytes(parts), header, records, offsets, isAmbiguous: layouts.length > 1 };
    });
  });
}
