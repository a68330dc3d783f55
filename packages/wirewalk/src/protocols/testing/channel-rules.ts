/** Rules of `Channel`: streams cut anywhere, damaged streams, and channels saved in the middle of one. */
import { createRandom, type Random } from "../../motion/index.ts";
import { formatHex, WireError } from "../../wire/index.ts";
import type { Channel, Received, SavedChannel, Side } from "../codec.ts";
import { findUnplain } from "../world-kit/index.ts";
import { sides, somePayload } from "./payloads.ts";
import { equalBytes, mutated, pieces, randomBytes } from "./random-bytes.ts";
import { cloned, must, mustEqual, mustThrow, type RuleSet } from "./rule.ts";
import type { ChannelSubject } from "./subject.ts";

const carriers = ["stream", "message"] as const;
const STREAMS = 20;
/** Bytes of a stream that is cut at every byte. */
const MAX_CUT_STREAM = 200;
const MAX_NOISE_BYTES = 64;

function receiverOf(sender: Side): Side {
  return sender === "client" ? "server" : "client";
}

/** All whole payloads that wait in a channel; true at the end when the stream broke. */
function drain(channel: Channel, into: Uint8Array[]): boolean {
  try {
    for (let next = channel.next(); next !== undefined; next = channel.next()) into.push(next.payload.slice());
    return false;
  } catch (error) {
    if (error instanceof WireError) return true;
    throw error;
  }
}

/** Pushes a piece and reads what is whole; true when the stream broke. */
function feed(channel: Channel, piece: Uint8Array, into: Uint8Array[]): boolean {
  try {
    channel.push(piece);
  } catch (error) {
    if (error instanceof WireError) return true;
    throw error;
  }
  return drain(channel, into);
}

function somePayloads(subject: ChannelSubject, random: Random, seed: number, sender: Side): readonly Uint8Array[] {
  const valid = subject.payloads(seed, sender);
  return Array.from({ length: random.integer(0, 20) }, () => {
    return valid.length === 0 ? randomBytes(random, MAX_NOISE_BYTES) : random.pick(valid);
  }).filter((payload) => canFrame(subject, sender, payload));
}

/** Noise that is not a message at all may have no frame. */
function canFrame(subject: ChannelSubject, sender: Side, payload: Uint8Array): boolean {
  try {
    subject.channel(sender, "stream").frame(payload);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function checkStreams(subject: ChannelSubject, seed: number): void {
  const random = createRandom(seed);
  for (let count = 0; count < STREAMS; count++) {
    const sender = random.pick(sides);
    const from = subject.channel(sender, "stream");
    const to = subject.channel(receiverOf(sender), "stream");
    const sent = somePayloads(subject, random, seed, sender);
    const frames = sent.map((payload) => [...from.frame(payload)]);
    const stream = Uint8Array.from([...(from.handshake?.greeting ?? []), ...frames.flat()]);
    const received: Uint8Array[] = [];
    for (const piece of pieces(random, stream)) {
      must(!feed(to, piece, received), () => `an honest stream breaks: ${formatHex(stream)}`);
    }
    must(to.pendingBytes === 0, () => `${to.pendingBytes} bytes are left of ${formatHex(stream)}`);
    const greeted = received.slice(received.length - sent.length);
    const isSame = greeted.length === sent.length && greeted.every((each, at) => equalBytes(each, sent[at] ?? each));
    must(isSame, () => `${sent.map((each) => formatHex(each))} arrive as ${received.map((each) => formatHex(each))}`);

    // A damaged stream breaks or goes on; it never does anything else, and never holds more than it was given.
    const damaged = subject.channel(receiverOf(sender), "stream");
    const bytes = random.chance(0.3) ? randomBytes(random, 500) : mutated(random, stream);
    for (const piece of pieces(random, bytes)) if (feed(damaged, piece, [])) break;
    must(damaged.pendingBytes <= bytes.length, () => `${damaged.pendingBytes} bytes are held of ${bytes.length}`);

    const whole = subject.channel(receiverOf(sender), "message");
    feed(whole, somePayload(random, subject.payloads(seed, sender)), []);
  }
}

/** What a channel gives for the rest of a stream, to its end or its break, as plain data. */
function restOf(subject: ChannelSubject, sender: Side, channel: Channel, bytes: Uint8Array): unknown {
  const found: unknown[] = [];
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      found.push(error.toJSON());
    }
  };
  const plain = ({ payload, message, error }: Received): unknown => [
    payload,
    message === undefined ? error?.toJSON() : subject.codec.toJson(sender, message),
  ];
  attempt(() => channel.push(bytes));
  attempt(() => {
    for (let next = channel.next(); next !== undefined; next = channel.next()) found.push(plain(next));
  });
  return [found, channel.pendingBytes, channel.handshake?.awaited ?? false, channel.save()];
}

/** A channel that has other things behind it than the one whose state it takes over. */
function usedChannel(subject: ChannelSubject, side: Side, carrier: "stream" | "message"): Channel {
  const channel = subject.channel(side, carrier);
  try {
    channel.push(Uint8Array.of(1));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  return channel;
}

/** A stream saved at any byte of it, by both ends, goes on as if it had not been. */
function checkSaved(subject: ChannelSubject, seed: number): void {
  const random = createRandom(seed);
  for (const carrier of carriers) {
    for (const sender of sides) {
      const receiver = receiverOf(sender);
      const from = subject.channel(sender, carrier);
      const greeting = from.handshake?.greeting;
      const packets: Uint8Array[] = greeting === undefined || carrier === "message" ? [] : [greeting];
      let length = packets[0]?.length ?? 0;
      for (const payload of somePayloads(subject, random, seed, sender)) {
        if (length > MAX_CUT_STREAM || payload.length > MAX_CUT_STREAM / 2) continue;
        // The end that writes: a copy of it must write the same.
        const copy = usedChannel(subject, sender, carrier);
        copy.restore(cloned(from.save()));
        const packet = from.frame(payload).slice();
        mustEqual(copy.frame(payload), packet, () => `a frame of a restored ${sender} over a ${carrier}`);
        packets.push(packet);
        length += packet.length;
      }
      const stream = Uint8Array.from(packets.flatMap((packet) => [...packet]));
      const damaged = Uint8Array.from([...stream, ...randomBytes(random, 40)]);
      for (let cut = 0; cut <= stream.length; cut++) {
        for (const whole of [stream, damaged]) {
          const channel = subject.channel(receiver, carrier);
          feedUntil(channel, carrier === "stream" ? [whole.subarray(0, cut)] : packets.slice(0, cut));
          const takes = random.integer(0, 2);
          for (let count = 0; count < takes; count++) drain(channel, []);
          const saved = channel.save();
          must(findUnplain(saved) === undefined, () => `a saved channel is not plain data: ${findUnplain(saved)}`);
          const name = `${subject.protocol.name}/${subject.dialect}/${receiver}/${carrier}`;
          must(saved.channel === name, () => `a saved channel is of ${saved.channel}, expected ${name}`);
          const restored = usedChannel(subject, receiver, carrier);
          restored.restore(cloned(saved));
          const rest = carrier === "stream" ? whole.subarray(cut) : (packets[cut] ?? whole);
          const expected = restOf(subject, sender, channel, rest);
          mustEqual(
            restOf(subject, sender, restored, rest),
            expected,
            () => `a ${receiver} restored at byte ${cut} of a ${carrier}`,
          );
          if (carrier === "message" && cut >= packets.length) return;
        }
      }
    }
  }
}

function feedUntil(channel: Channel, packets: readonly Uint8Array[]): void {
  for (const packet of packets) {
    try {
      channel.push(packet);
    } catch (error) {
      if (error instanceof WireError) return;
      throw error;
    }
  }
}

/** Prepared on any channel, sealed in pieces of any size: the frames of the channel itself. */
function checkSealing(subject: ChannelSubject, seed: number): void {
  const random = createRandom(seed);
  for (const carrier of carriers) {
    for (const sender of sides) {
      const sealed = subject.channel(sender, carrier);
      const framed = subject.channel(sender, carrier);
      const other = subject.channel(sender, carrier);
      const { sealing } = sealed;
      if (sealing === undefined || other.sealing === undefined) continue;
      must(!sealed.sharesFrames, () => `a ${sender} over a ${carrier} shares frames and still seals them`);
      const payloads = somePayloads(subject, random, seed, sender);
      for (let next = 0; next < payloads.length; ) {
        const some = payloads.slice(next, next + random.integer(1, 5));
        next += some.length;
        const frames = Uint8Array.from(some.flatMap((payload) => [...framed.frame(payload)]));
        const before = other.save();
        const prepared = Uint8Array.from(some.flatMap((payload) => [...(other.sealing?.prepare(payload) ?? [])]));
        mustEqual(other.save(), before, () => `a ${sender} that prepared frames over a ${carrier}`);
        must(
          prepared.length === frames.length,
          () => `${frames.length} bytes of frames have ${prepared.length} prepared`,
        );
        const copy = prepared.slice();
        const into = new Uint8Array(frames.length).fill(random.integer(0, 255));
        sealing.seal(prepared, into);
        mustEqual(prepared, copy, () => `prepared frames of a ${sender} that sealed them over a ${carrier}`);
        mustEqual(into, frames, () => `sealed frames of a ${sender} over a ${carrier}`);
        mustEqual(sealed.save(), framed.save(), () => `a ${sender} that sealed frames over a ${carrier}`);
      }
    }
  }
}

/** The state of another channel is refused. */
function checkForeign(subject: ChannelSubject): void {
  for (const side of sides) {
    const saved = subject.channel(side, "stream").save();
    const others: readonly SavedChannel[] = [
      { ...saved, channel: "another/dialect/server/stream" },
      { ...saved, schema: saved.schema + 1 },
      subject.channel(side, "message").save(),
      subject.channel(receiverOf(side), "stream").save(),
    ];
    for (const other of others) {
      const channel = subject.channel(side, "stream");
      mustThrow(
        () => channel.restore(other),
        [RangeError],
        () => `restore of ${other.channel}, schema ${other.schema}`,
      );
      mustEqual(channel.save(), saved, () => `a channel that refused ${other.channel}`);
    }
  }
}

export const channelRules: RuleSet<"openChannel", ChannelSubject> = {
  needs: ["openChannel"],
  rules: [
    { name: "streams arrive whole, however they are cut", check: checkStreams },
    {
      name: "frames that are prepared and sealed are those of the channel",
      check: checkSealing,
    },
    { name: "a channel saved at any byte goes on as the one that was not", check: checkSaved },
    { name: "a channel refuses the state of another", isFixed: true, check: checkForeign },
  ],
};
