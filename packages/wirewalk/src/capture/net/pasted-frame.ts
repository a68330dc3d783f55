/** A frame as Wireshark copies it, without a capture around it: which link layer it has is found out. */
import { formatAddress, readIp, TCP } from "./ip.ts";
import { ipStart } from "./link-layer.ts";
import { readTcp } from "./tcp-segment.ts";

/** What a frame carried over TCP. */
export interface CarriedPayload {
  readonly payload: Uint8Array;
  /** `address:port`, IPv6 in brackets. */
  readonly from: string;
  readonly to: string;
}

/** Ethernet, raw IP, Linux cooked 1 and 2, loopback. */
const LINK_TYPES = [1, 101, 113, 276, 0];
const ETHERNET = 1;
/** Shorter Ethernet frames are filled up to this length. */
const LEAST_ETHERNET_BYTES = 60;

/**
 * The payload of bytes that are one whole frame with TCP in it. Undefined for all else: the lengths of the headers must say exactly how
 * long the bytes are, so that packets of games are not taken for frames.
 */
export function payloadOfFrame(frame: Uint8Array): CarriedPayload | undefined {
  for (const linkType of LINK_TYPES) {
    const start = ipStart(linkType, frame);
    if (typeof start !== "number") continue;
    const ip = readIp(frame, start);
    if (ip === undefined || ip.protocol !== TCP || ip.fragment !== undefined || ip.payload.length !== ip.length)
      continue;
    const end = ip.payload.byteOffset - frame.byteOffset + ip.length;
    const isFilled = linkType === ETHERNET && frame.length === LEAST_ETHERNET_BYTES && end < frame.length;
    if (end !== frame.length && !isFilled) continue;
    const segment = readTcp(ip.payload, ip.length);
    if (segment === undefined) continue;
    const { payload, sourcePort, destinationPort } = segment;
    return { payload, from: endOf(ip.source, sourcePort), to: endOf(ip.destination, destinationPort) };
  }
  return undefined;
}

function endOf(address: Uint8Array, port: number): string {
  const text = formatAddress(address);
  return `${address.length === 4 ? text : `[${text.replaceAll(/^\[|\]$/g, "")}]`}:${port}`;
}
