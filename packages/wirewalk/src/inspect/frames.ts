/** Carried bytes of a packet stream: packets out of frames, wherever the bytes are split. */
import type { Channel, PacketStream, Received, Side, StreamSetup } from "../protocols/index.ts";
import { openStreamChannel } from "../protocols/payload-stream.ts";
import { countBytes, WireError } from "../wire/index.ts";
import { attempt } from "./attempt.ts";

/** The end of a connection that receives what the sender sent. Throws `MissingMemberError` for a stream without frames. */
export function openReceiver(stream: PacketStream, setup: StreamSetup): Channel {
  const receiver: Side = setup.sender === "client" ? "server" : "client";
  return openStreamChannel(stream, receiver, setup);
}

/** Gives the channel the bytes and `take` every packet. What broke the stream is thrown after the packets before it. */
export function drain(channel: Channel, bytes: Uint8Array, take: (received: Received) => void): void {
  const pushed = attempt(() => {
    channel.push(bytes);
    return {};
  });
  try {
    for (let received = channel.next(); received !== undefined; received = channel.next()) take(received);
  } catch (error) {
    // The first error has the cause: after it `next` says only that the stream was refused.
    throw pushed.error ?? error;
  }
  if (pushed.error !== undefined) throw pushed.error;
}

/** The refusal of a frame that the input does not complete. */
export function unfinishedFrame(pendingBytes: number): WireError {
  const why = `the input ends ${countBytes(pendingBytes)} into it`;
  return new WireError("truncated", `Cannot read frame: ${why}`, 0);
}
