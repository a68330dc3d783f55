/** Codecs and channels that break a rule of the contract suite. */
import type { Side } from "../codec.ts";
import { type BrokenProtocols, withChannel, withCodec, withSavedChannel } from "./broken-protocol.ts";
import type { FakeClientMessage, FakeServerMessage } from "./fake-codec.ts";

export const brokenChannels: BrokenProtocols = {
  "any bytes are a message that encodes back, or are refused": [
    {
      what: "a codec that writes other bytes than it has read",
      protocol: withCodec((codec) => ({
        write(side: Side, message: FakeClientMessage | FakeServerMessage) {
          if (message.message !== "count") return codec.write(side, message);
          return codec.write(side, { message: "count", value: { number: (message.value.number + 1) & 0xff } });
        },
      })),
      says: /is written back as/,
    },
    {
      what: "a codec that throws something else than WireError",
      protocol: withCodec((codec) => ({
        read(side: Side, payload: Uint8Array): never {
          if (payload.length > 20) throw new TypeError("too long");
          return codec.read(side, payload) as never;
        },
      })),
      says: /too long/,
    },
    {
      what: "a codec whose JSON loses a field",
      protocol: withCodec((codec) => ({
        fromJson: (side, json) => codec.fromJson(side, json.message === "step" ? { ...json, value: { x: 1 } } : json),
      })),
      says: /by way of JSON/,
    },
    {
      what: "a trace that takes what is refused",
      protocol: withCodec(() => ({ trace: () => ({ fields: [] }) })),
      says: /trace and read disagree/,
    },
  ],
  "reads what its table of messages names": [
    {
      what: "a message that is not in the table",
      protocol: withCodec((codec) => ({ messages: codec.messages.filter(({ message }) => message !== "step") })),
      says: /step of the client is not in the table/,
    },
  ],
  "streams arrive whole, however they are cut": [
    {
      what: "a channel that loses what comes with half a frame",
      protocol: withChannel((channel) => ({
        push: (bytes) => (channel.pendingBytes > 0 && bytes.length > 5 ? undefined : channel.push(bytes)),
      })),
      says: /are left of|arrive as|breaks/,
    },
    {
      what: "a channel that holds more than it was given",
      protocol: withChannel((channel) => ({
        get pendingBytes() {
          return channel.pendingBytes * 1000;
        },
      })),
      says: /bytes are (left|held) of/,
    },
  ],
  "a channel saved at any byte goes on as the one that was not": [
    {
      what: "a channel that is saved without its half frame",
      protocol: withSavedChannel((state) => ({ ...state, held: new Uint8Array() })),
      says: /restored at byte/,
    },
    {
      what: "a channel that is saved without the payloads that wait",
      protocol: withSavedChannel((state) => ({ ...state, ready: [], waiting: [] })),
      says: /restored at byte/,
    },
    {
      what: "a sending channel that forgets where its cipher was",
      protocol: withChannel((channel) => {
        let frames = 0;
        return {
          frame(payload) {
            frames += 1;
            return Uint8Array.of(frames, ...channel.frame(payload));
          },
        };
      }),
      says: /a frame of a restored/,
    },
  ],
  "frames that are prepared and sealed are those of the channel": [
    {
      what: "a channel that seals the first of several frames alone",
      protocol: withChannel((channel) => ({
        sharesFrames: false,
        sealing: {
          prepare: (payload) => channel.frame(payload),
          seal: (prepared, into) => into.set(prepared.subarray(0, 2 + (prepared[0] ?? 0))),
        },
      })),
      says: /sealed frames of a/,
    },
    {
      what: "a channel that seals in the memory of prepared frames",
      protocol: withChannel((channel) => ({
        sharesFrames: false,
        sealing: {
          prepare: (payload) => channel.frame(payload),
          seal(prepared, into) {
            into.set(prepared);
            prepared.fill(0);
          },
        },
      })),
      says: /prepared frames of a .* that sealed them/,
    },
    {
      what: "a channel that seals frames which it shares",
      protocol: withChannel((channel) => ({
        sealing: { prepare: (payload) => channel.frame(payload), seal: (prepared, into) => into.set(prepared) },
      })),
      says: /shares frames and still seals them/,
    },
  ],
  "a channel refuses the state of another": [
    {
      what: "a channel that takes the state of another",
      protocol: withChannel((channel) => ({
        restore: (saved) => channel.restore({ ...saved, channel: channel.save().channel }),
      })),
      says: /restore of another\/dialect.* throws nothing/,
    },
  ],
};
