/** The statistics of a capture as tables of text. */
import type { CaptureStatistics } from "wirewalk/capture";
import type { StatisticsTable } from "./packet-source.ts";

/** Players in a table. The command line lists all with `--json`. */
const TABLE_PLAYERS = 200;

export function statisticsTables({ messages, players }: CaptureStatistics): readonly StatisticsTable[] {
  const number = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 1 });
  return [
    {
      title: "Messages",
      columns: ["protocol", "from", "message", "count", "bytes", "bytes each", "per second", "bits per field"],
      rows: messages.map(({ protocol, dialect, direction, message, count, bytes, perSecond, bitsPerField }) => [
        `${protocol}/${dialect}`,
        direction,
        message,
        number(count),
        number(bytes),
        number(bytes / count),
        number(perSecond),
        Object.entries(bitsPerField)
          .map(([path, bits]) => `${path} ${number(bits)}`)
          .join(", "),
      ]),
    },
    {
      title:
        players.length > TABLE_PLAYERS ? `Players, the first ${TABLE_PLAYERS} of ${number(players.length)}` : "Players",
      columns: [
        "connection",
        "protocol",
        "sent",
        "bytes",
        "per second",
        "received",
        "bytes",
        "per second",
        "refused",
        "missing bytes",
      ],
      rows: players
        .slice(0, TABLE_PLAYERS)
        .map(({ flow, protocol, dialect, client, server, refused, gapBytes }) => [
          flow,
          protocol === null ? "–" : `${protocol}/${dialect}`,
          number(client.count),
          number(client.bytes),
          number(client.perSecond),
          number(server.count),
          number(server.bytes),
          number(server.perSecond),
          number(refused),
          number(gapBytes),
        ]),
    },
  ];
}
