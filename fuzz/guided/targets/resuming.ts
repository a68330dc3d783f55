/** A ciphered stream of MapleStory of which bytes are missing. */
import type { Channel, ChannelOptions, Side } from "wirewalk/protocol";
import type { Target } from "../target.ts";
import { protocolNamed } from "./payloads.ts";
import { piecesOf, SCRIPT_BYTES, scriptOf } from "./script.ts";
import { src } from "./sources.ts";

/** Frames that must follow a gap for the next one to be found: with the IV before it, and without. */
const ENOUGH_AFTER_GAP = 3;
const ENOUGH_ANYWHERE = 4;

export const resuming: Target = {
  name: "maplestory/v62 gaps",
  summary: "frames with a gap among them: the next frame that is found is one, and all from there on are read",
  cover: new RegExp(`${src}protocols/maplestory/wire/(?:resume|cipher|packet-cipher|keystreams)\\.ts$`),
  maxBytes: SCRIPT_BYTES,
  async open() {
    const protocol = await protocolNamed("maplestory");
    const { resumeMaple } = await import("../../../packages/wirewalk/src/protocols/maplestory/wire/resume.ts");
    const dialect = "v62";
    const open = (side: Side): Channel =>
      protocol.openChannel({ side, dialect, carrier: "stream" } as ChannelOptions & { readonly side: "server" });
    const payload = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at * 7);
    return {
      seeds: Array.from({ length: 24 }, (_, at) =>
        scriptOf([
          Uint8Array.of(at % 4, at * 5, at * 3),
          ...Array.from({ length: 3 + (at % 6) }, (__, of) => payload(2 + of * at)),
        ]),
      ),
      run(script) {
        const [control = new Uint8Array(), ...payloads] = piecesOf(script);
        const [flags = 0, cut = 0, lost = 0] = control;
        const sender: Side = (flags & 1) === 0 ? "client" : "server";
        const isKnown = (flags & 2) === 0;
        const from = open(sender);
        const receiver = open(sender === "client" ? "server" : "client");
        const greeting = from.handshake?.greeting;
        if (greeting !== undefined) receiver.push(greeting);
        const starts: number[] = [];
        const sent: string[] = [];
        const bytes: number[] = [];
        for (const each of payloads.slice(0, 12)) {
          if (each.length < 2) continue;
          starts.push(bytes.length);
          sent.push(each.join(" "));
          bytes.push(...from.frame(each));
        }
        if (bytes.length === 0) return;
        const plain = { dialect: "documented", sender, bytes: Uint8Array.from(bytes), refused: new Set<number>() };
        if (resumeMaple(plain) !== undefined) throw new Error("A stream without a cipher has no frames to look for");
        const stream = Uint8Array.from(bytes);
        const at = cut % stream.length;
        const left = Math.min(stream.length, at + 1 + lost);
        const rest = stream.slice(left);
        receiver.push(stream.subarray(0, at));
        let isRead = true;
        while (isRead) isRead = receiver.next() !== undefined;
        const before = isKnown ? { saved: receiver.save(), lostBytes: left - at } : undefined;
        const found = resumeMaple({ dialect, sender, bytes: rest, refused: new Set(), before });
        const first = starts.findIndex((start) => start >= left);
        const follow = first < 0 ? 0 : starts.length - first;
        if (found === undefined) {
          if (follow >= (isKnown ? ENOUGH_AFTER_GAP : ENOUGH_ANYWHERE))
            throw new Error(`None of ${follow} frames after the gap is found`);
          return;
        }
        const index = starts.indexOf(left + found.offset);
        if (index < 0)
          throw new Error(`A frame is found at ${left + found.offset}, they begin at ${starts.join(", ")}`);
        found.channel.push(rest.slice(found.offset));
        const taken: string[] = [];
        for (let next = found.channel.next(); next !== undefined; next = found.channel.next())
          taken.push(next.payload.join(" "));
        if (taken.join("; ") !== sent.slice(index).join("; "))
          throw new Error(`Frames from ${index} on are read as ${taken.join("; ")}`);
      },
    };
  },
};
