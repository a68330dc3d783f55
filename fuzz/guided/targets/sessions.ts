/** Sessions of other tools: files of any bytes. */
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

/** Pieces into which the first byte of an input cuts its file. */
const PIECE_BYTES = 7;

/** Any bytes as a file of MapleShark: never an error, one fault at most, and what was read is written back byte for byte. */
export const mapleSharkFiles: Target = {
  name: "mapleshark files",
  summary:
    "an .msb file, the size of its pieces in the first byte: the same whole and in pieces, what was read is written back byte for byte",
  cover: new RegExp(`${src}capture/session/mapleshark/[^/]*(?<!\\.test)\\.ts$`),
  maxBytes: 800,
  async open() {
    const { isMsb } = await import("wirewalk/capture");
    const check = await import("../../../packages/wirewalk/src/capture/session/mapleshark/testing/check-msb.ts");
    const made = await import("../../../packages/wirewalk/src/capture/session/mapleshark/testing/made-msb.ts");
    const run: Run = (input) => {
      const file = input.subarray(1);
      const { header } = check.checkMsb(file, 1 + ((input[0] ?? 0) % PIECE_BYTES));
      if (isMsb(file) && header === undefined) throw new Error("recognized, and has no header");
    };
    const files = made.madeFiles(4);
    const originals = files.map(({ bytes }) => check.readMsb(bytes));
    // Beside files of any bytes: cuts and single changes, of which more is known.
    const damage: Run = (input) => {
      const [pieces = 0, which = 0, ...seed] = input.subarray(0, 6);
      const file = files[which % files.length];
      const original = originals[which % files.length];
      if (file === undefined || original === undefined) return;
      const number = seed.reduce((sum, byte) => (sum << 8) | byte, 0);
      for (const damaged of check.damagedFiles(file.bytes, number, 4)) {
        check.checkDamagedMsb(file, original, damaged, 1 + (pieces % PIECE_BYTES));
      }
    };
    return { run, check: damage, seeds: files.map(({ bytes }) => Uint8Array.of(3, ...bytes)) };
  },
};

/** Any bytes as a text log: never an error, one fault at most, the same whole and in pieces. */
export const textLogs: Target = {
  name: "text logs",
  summary:
    "a log of MSniffer or MapleShark, the size of its pieces in the first byte: the same whole and in pieces, packets survive being written",
  cover: new RegExp(`${src}capture/session/text-logs/[^/]*(?<!\\.test)\\.ts$`),
  maxBytes: 800,
  async open() {
    const capture = await import("wirewalk/capture");
    const { joinBytes, encodeLatin1 } = await import("wirewalk/wire");
    const readers = [capture.MsnifferReader, capture.MapleSharkTextReader];
    type Reader = (typeof readers)[number];
    const read = (Reader: Reader, file: Uint8Array, step: number) => {
      const headers: import("wirewalk/capture").SessionHeader[] = [];
      const records: import("wirewalk/capture").SessionRecord[] = [];
      const faults: string[] = [];
      const reader = new Reader({
        header: (header) => headers.push(header),
        record: (record) => records.push(record),
        fault: (error) => faults.push(error.message),
      });
      for (let at = 0; at < file.length; at += step) reader.push(file.slice(at, at + step));
      reader.end();
      if (faults.length > 1) throw new Error(`${faults.length} faults`);
      const lines = records.map(({ payload, ...rest }) => [rest, Buffer.from(payload).toString("hex")]);
      return { headers, records, text: JSON.stringify([headers, lines, faults]) };
    };
    const run: Run = (input) => {
      const file = input.subarray(1);
      for (const Reader of readers) {
        const whole = read(Reader, file, Math.max(1, file.length));
        const inPieces = read(Reader, file, 1 + ((input[0] ?? 0) % PIECE_BYTES));
        if (whole.text !== inPieces.text) throw new Error(`whole:\n${whole.text}\nin pieces:\n${inPieces.text}`);
        const { headers, records } = whole;
        const [header] = headers;
        if (header === undefined) continue;
        const dataBytes = records.reduce((sum, { payload }) => sum + payload.length, 0);
        const writer = new capture.MapleSharkTextWriter({ packets: records.length, dataBytes });
        const parts = [writer.header(header), ...records.map((record) => writer.record(record))];
        const again = read(capture.MapleSharkTextReader, joinBytes(parts), 100);
        const show = (list: typeof records) =>
          JSON.stringify(
            list.map(({ timeMs, sender, payload }) => [timeMs, sender, Buffer.from(payload).toString("hex")]),
          );
        if (show(again.records) !== show(records)) throw new Error(`${show(records)} and, written, ${again.text}`);
      }
    };
    const seeds = [
      'Capturing MapleStory version 83 on 10.0.0.1:8484 with unknown "1"\n[23:59:58][3] Send:  29 00 AA\n[0:0:1][2] Recv:  11 00\n',
      "=== MapleStory Version: 95; Locale: 8 ===\r\nEndpoint From: a:1\r\nEndpoint To: b:2\r\n- Packets: 1\r\n- Data: 3 bytes\r\n===\r\n[2015-11-08 09:05:03.007][Inbound ] [FFFF | Hello] 0E\r\n",
    ];
    return { run, seeds: seeds.map((text) => Uint8Array.of(3, ...encodeLatin1(text))) };
  },
};
