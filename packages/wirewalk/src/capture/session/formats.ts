/** The formats of other tools' sessions. Programs that read and write files find them in this table alone. */
import type { Protocol, RevisionTable } from "../../protocols/index.ts";
import { MapleSharkReader } from "./mapleshark/reader.ts";
import { isMsb } from "./mapleshark/recognize.ts";
import { MapleSharkWriter } from "./mapleshark/writer.ts";
import { isRsprox } from "./rsprox/recognize.ts";
import { readRsprox } from "./rsprox/rsprox-reader.ts";
import { writeRsprox } from "./rsprox/rsprox-writer.ts";
import type { SessionFormat } from "./session.ts";
import { isMapleSharkText, MapleSharkTextReader } from "./text-logs/mapleshark-text.ts";
import { isMsnifferLog, MsnifferReader } from "./text-logs/msniffer.ts";

type Protocols = Readonly<Record<string, Protocol>>;

/** Frames of Old School RuneScape need the tables of its revisions. */
function tablesOf({ osrs }: Protocols): {
  readonly sizes: (revision: number) => RevisionTable | undefined;
  readonly revisions: readonly number[];
} {
  const revisions = osrs?.capabilities?.revisions;
  return { sizes: (revision) => revisions?.table(revision), revisions: revisions?.known ?? [] };
}

export const sessionFormats: readonly SessionFormat[] = [
  {
    name: "rsprox",
    title: "RSProx recording",
    endings: [".bin"],
    recognizes: (start) => isRsprox(start) === true,
    open: ({ protocols, sink }) => readRsprox({ ...tablesOf(protocols), sink }),
    openWriter: ({ protocols }) => writeRsprox(tablesOf(protocols)),
  },
  {
    name: "mapleshark",
    title: "MapleShark session",
    endings: [".msb"],
    recognizes: isMsb,
    open: ({ sink, build }) => new MapleSharkReader(sink, { build }),
    openWriter: ({ version, build }) => new MapleSharkWriter({ version, build }),
  },
  {
    name: "mapleshark-text",
    title: "text of MapleShark",
    endings: [".txt"],
    recognizes: isMapleSharkText,
    open: ({ sink }) => new MapleSharkTextReader(sink),
  },
  {
    name: "msniffer",
    title: "log of MSniffer",
    endings: [".txt", ".log"],
    recognizes: isMsnifferLog,
    open: ({ sink }) => new MsnifferReader(sink),
  },
];

/** The format of a file that begins so; where several fit, the one whose ending the file's name has. */
export function sessionFormatOf(start: Uint8Array, name = ""): SessionFormat | undefined {
  const fitting = sessionFormats.filter((format) => format.recognizes(start));
  return fitting.find(({ endings }) => endings.some((ending) => name.toLowerCase().endsWith(ending))) ?? fitting[0];
}
