/** What the contestants of the Slime Online 2 benchmark read and write, in `v0106`; the same in every process. */
import { readFileSync } from "node:fs";
import { slimeCodec } from "wirewalk/slime-online-2";
import { parseHex } from "wirewalk/wire";

/** The standard's own packets, by the kind of work: with both coordinates, and with none. */
const standard: Readonly<Record<string, string>> = {
  "right press": "payload of the v0106 frame, right",
  "left press in air": "payload of the v0106 frame, left in air",
};
export const moves = Object.keys(standard);

/** Characters of a line of chat, for the chart. */
export const chatLengths = [1, 10, 100, 1000] as const;

interface Vector {
  readonly name: string;
  readonly hex: string;
}

/** Packets of a client, as often as asked. */
export function createPackets(work: string, count: number): readonly Uint8Array[] {
  const name = standard[work];
  if (name === undefined) {
    const text = "Hello slimes! ".repeat(100).slice(0, Number(work));
    const packet = slimeCodec("v0106").write("client", { message: "chat", value: { text } });
    return Array.from({ length: count }, () => packet.slice());
  }
  const file = new URL("../../vectors/slime-online-2.json", import.meta.url);
  const vectors = JSON.parse(readFileSync(file, "utf8")) as readonly Vector[];
  const packet = parseHex(vectors.find((vector) => vector.name === name)?.hex ?? "");
  // Memory of its own for each, as packets come; where there is an x, each has another.
  return Array.from({ length: count }, (_, index) => {
    const copy = packet.slice();
    return copy.length > 3 ? copy.with(3, index & 0xff) : copy;
  });
}

/** Packets that are refused: how they are damaged, by the kind of work. */
export const damages: Readonly<Record<string, (packet: Uint8Array) => Uint8Array>> = {
  "cut in y": (packet) => packet.slice(0, -1),
  "a byte too many": (packet) => Uint8Array.of(...packet, 0),
  "unknown type": (packet) => packet.with(0, 0x63),
  "unknown code": (packet) => packet.with(2, 14),
};
