/** Channels: streams split anywhere, damaged, and gone on with by a restored channel. */
import type { Channel, ChannelOptions, Side } from "wirewalk/protocol";
import type { Target } from "../target.ts";
import { payloadsOf, protocolNamed, sides } from "./payloads.ts";
import { piecesOf, SCRIPT_BYTES, scriptOf } from "./script.ts";
import { src } from "./sources.ts";

/** Bits of the first byte of a script's first piece. */
const FROM_SERVER = 1;
const WHOLE_MESSAGES = 2;
const RESTORED = 4;
const PUSHED_AFTER_END = 8;
const BOTH_SPEAK = 16;
const MAX_BODIES = 8;

/** What came out of a channel. */
interface Taken {
  readonly payloads: Uint8Array[];
  readonly errors: string[];
  end: string;
}

function difference(a: Taken, b: Taken): string | undefined {
  if (a.end !== b.end) return `ends "${a.end}" and "${b.end}"`;
  if (a.payloads.length !== b.payloads.length) return `${a.payloads.length} payloads and ${b.payloads.length}`;
  const at = a.payloads.findIndex((payload, index) => Buffer.compare(payload, b.payloads[index] as Uint8Array) !== 0);
  if (at >= 0) return `payload ${at} differs`;
  return a.errors.join() === b.errors.join() ? undefined : `errors ${a.errors.join()} and ${b.errors.join()}`;
}

/**
 * A stream from one end to the other: however it is split, and when the receiving channel is saved and restored on the way, the
 * same messages and the same end. Prepared and sealed frames are the frames.
 */
export function channelTarget(protocolName: string, dialect: string): Target {
  return {
    name: `${protocolName}/${dialect} stream`,
    summary: "payloads framed, damaged, split, restored half-way: the same messages whole and in pieces",
    cover: new RegExp(
      `${src}(?:wire/(?!testing|layout)|protocols/(?:framed-channel|${protocolName}/(?:mouse/)?wire/)).*(?<!\\.test)\\.ts$`,
    ),
    maxBytes: SCRIPT_BYTES,
    async open() {
      const protocol = await protocolNamed(protocolName);
      const { WireError } = await import("wirewalk/wire");
      const codec = protocol.codec(dialect);
      const open = (side: Side, carrier: "stream" | "message"): Channel =>
        protocol.openChannel({ side, dialect, carrier } as ChannelOptions & { readonly side: "server" });
      const take = (receiver: Channel, stream: Uint8Array, step: number, restoreAt: number, after: boolean): Taken => {
        const taken: Taken = { payloads: [], errors: [], end: "" };
        let channel = receiver;
        /** True if the stream is broken. Payloads that were complete before are read all the same. */
        const breaks = (work: () => void): boolean => {
          try {
            work();
            return false;
          } catch (error) {
            if (!(error instanceof WireError)) throw error;
            taken.end = `${error.code} ${error.bitOffset}`;
            return true;
          }
        };
        const readAll = (): void => {
          for (let next = channel.next(); next !== undefined; next = channel.next()) {
            taken.payloads.push(next.payload);
            if (next.error !== undefined) taken.errors.push(`${next.error.code} ${next.error.bitOffset}`);
          }
        };
        let isBroken = false;
        let isRestored = false;
        for (let at = 0; at < stream.length && !isBroken; at += step) {
          isBroken = breaks(() => channel.push(stream.subarray(at, at + step)));
          if (!isRestored && at + step >= restoreAt) {
            isRestored = true;
            const saved = structuredClone(channel.save());
            const other = open(receiverSide, carrier);
            other.restore(saved);
            if (other.pendingBytes !== channel.pendingBytes) {
              throw new Error(
                `A restored channel holds ${other.pendingBytes} bytes, the saved one ${channel.pendingBytes}`,
              );
            }
            channel = other;
          }
          isBroken = breaks(readAll) || isBroken;
        }
        if (after) {
          isBroken = breaks(() => channel.push(stream)) || isBroken;
          isBroken = breaks(readAll) || isBroken;
        }
        if (!isBroken) taken.end = `${channel.pendingBytes} bytes held`;
        return taken;
      };
      let receiverSide: Side = "server";
      let carrier: "stream" | "message" = "stream";
      const seeds: Uint8Array[] = [];
      for (const [from, side] of sides.entries()) {
        const payloads = await payloadsOf(codec, side);
        payloads.forEach((payload, at) => {
          const flags =
            from + (at % 8 === 1 ? RESTORED : at % 8 === 2 ? PUSHED_AFTER_END : at % 8 === 3 ? WHOLE_MESSAGES : 0);
          seeds.push(scriptOf([Uint8Array.of(flags, 3, 0, 0, 9), payload, payloads[at + 1] ?? payload]));
        });
      }
      return {
        seeds: seeds.filter(({ length }) => length < SCRIPT_BYTES),
        // The first piece says what is damaged and how it is split.
        run(script) {
          const [control = new Uint8Array(), ...bodies] = piecesOf(script);
          const [flags = 0, step = 1, change = 0, place = 0, restoreAt = 0] = control;
          const sender = (flags & FROM_SERVER) === 0 ? "client" : "server";
          receiverSide = sender === "client" ? "server" : "client";
          carrier = (flags & WHOLE_MESSAGES) === 0 ? "stream" : "message";
          const from = open(sender, carrier);
          const twin = open(sender, carrier);
          const greeting = from.handshake?.greeting;
          const parts: Uint8Array[] = greeting === undefined || (flags & WHOLE_MESSAGES) !== 0 ? [] : [greeting];
          const prepared: Uint8Array[] = [];
          const frames: Uint8Array[] = [];
          for (const body of bodies.slice(0, MAX_BODIES)) {
            try {
              frames.push(from.frame(body));
            } catch (error) {
              // Not every payload can be carried.
              if (error instanceof RangeError) continue;
              throw error;
            }
            if (twin.sealing !== undefined) prepared.push(twin.sealing.prepare(body));
          }
          if (twin.sealing !== undefined) {
            const together = Buffer.concat(prepared);
            const sealed = new Uint8Array(together.length);
            twin.sealing.seal(together, sealed);
            if (Buffer.compare(sealed, Buffer.concat(frames)) !== 0)
              throw new Error("Sealed frames differ from frames");
          }
          parts.push(...frames);
          if (carrier === "message") {
            const receiver = open(receiverSide, carrier);
            for (const part of parts) receiver.push(part);
            const taken: Uint8Array[] = [];
            for (let next = receiver.next(); next !== undefined; next = receiver.next()) taken.push(next.payload);
            if (taken.length !== parts.length) throw new Error(`${parts.length} messages come as ${taken.length}`);
            return;
          }
          const stream = new Uint8Array(Buffer.concat(parts));
          if (change !== 0 && stream.length > 0) stream[place % stream.length] = change;
          const receiver = (): Channel => {
            const channel = open(receiverSide, carrier);
            // A client may speak before the greeting arrives.
            if ((flags & BOTH_SPEAK) !== 0 && bodies[0] !== undefined) speak(channel, bodies[0]);
            return channel;
          };
          const after = (flags & PUSHED_AFTER_END) !== 0;
          const whole = take(receiver(), stream, Math.max(1, stream.length), Number.POSITIVE_INFINITY, after);
          const restoredFrom = (flags & RESTORED) === 0 ? Number.POSITIVE_INFINITY : restoreAt;
          const split = take(receiver(), stream, Math.max(1, step), restoredFrom, after);
          const differs = difference(whole, split);
          if (differs !== undefined) throw new Error(`Whole and in pieces of ${step} the stream says: ${differs}`);
          if (change !== 0 || after) return;
          const same = whole.payloads.length === frames.length && whole.end === "0 bytes held";
          if (!same) throw new Error(`${frames.length} frames come as ${whole.payloads.length}, ${whole.end}`);
        },
      };
    },
  };
}

function speak(channel: Channel, body: Uint8Array): void {
  try {
    channel.frame(body);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}
