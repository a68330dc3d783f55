/** WebSocket as clients and servers write it, for captures of tests: masked, and now and then in fragments. */

import type { Random } from "../../motion/index.ts";
import type { Side } from "../../protocols/index.ts";
import { joinBytes } from "../../wire/index.ts";

/** A message as frames. One of eight is fragmented, and one of sixteen has a ping before it. */
export function websocketFrames(sender: Side, payload: Uint8Array, random: Random): Uint8Array {
  const frames: Uint8Array[] = [];
  if (random.chance(1 / 16)) frames.push(frame(sender, 0x89, Uint8Array.of(1, 2, 3), random));
  if (payload.length > 1 && random.chance(1 / 8)) {
    const cut = random.integer(1, payload.length - 1);
    frames.push(frame(sender, 0x02, payload.subarray(0, cut), random));
    frames.push(frame(sender, 0x80, payload.subarray(cut), random));
  } else frames.push(frame(sender, 0x82, payload, random));
  return joinBytes(frames);
}

function frame(sender: Side, first: number, payload: Uint8Array, random: Random): Uint8Array {
  const isMasked = sender === "client";
  const { length } = payload;
  const head = length < 126 ? [first, length] : [first, 126, length >> 8, length & 0xff];
  if (isMasked) head[1] = (head[1] as number) | 0x80;
  const mask = isMasked ? Array.from({ length: 4 }, () => random.integer(0, 255)) : [];
  return Uint8Array.of(
    ...head,
    ...mask,
    ...Array.from(payload, (byte, at) => byte ^ (isMasked ? (mask[at & 3] as number) : 0)),
  );
}

/** The HTTP head of a handshake. */
export function httpHead(sender: Side, path: string, dialect: string): Uint8Array {
  const lines =
    sender === "client"
      ? [
          `GET /ws/${path}?dialect=${dialect} HTTP/1.1`,
          "Host: 127.0.0.1",
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "Sec-WebSocket-Version: 13",
        ]
      : [
          "HTTP/1.1 101 Switching Protocols",
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        ];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
}
