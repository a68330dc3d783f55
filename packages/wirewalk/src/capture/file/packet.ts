/** What a capture file holds, whatever its format: packets with their times. */

/** When a packet was captured, counted from 1970. Two numbers, because nanoseconds since 1970 do not fit in one. */
export interface CaptureTime {
  /** Whole seconds. */
  readonly seconds: number;
  /** 0..999,999,999. */
  readonly nanoseconds: number;
}

/** One packet as the capture has it. */
export interface CapturedPacket {
  /** Its place among the packets of the file, from 1. */
  readonly number: number;
  readonly time: CaptureTime;
  /** What `data` begins with: a number of https://www.tcpdump.org/linktypes.html. */
  readonly linkType: number;
  /** The bytes that were kept: a view that is valid during the call that gives it. */
  readonly data: Uint8Array;
  /** Bytes that the packet had on the network: more than `data` where the capture kept only the start. */
  readonly originalLength: number;
}

/** A place of the file that cannot be read. */
export interface CaptureFault {
  /** Where, in bytes from the start of the file. */
  readonly byteOffset: number;
  /** One sentence: what is wrong, and how reading goes on. */
  readonly text: string;
}

/** Receives what is in a capture file, in the order of the file. */
export interface CaptureSink {
  packet(packet: CapturedPacket): void;
  fault(fault: CaptureFault): void;
}

/** The longest packet that is read, in bytes. tcpdump and Wireshark keep at most 262,144; other writers keep more. */
export const MAX_PACKET_BYTES = 1_048_576;

/** `1700000000.000000001`: seconds since 1970 with nine digits of their fraction. */
export function formatCaptureTime({ seconds, nanoseconds }: CaptureTime): string {
  return `${seconds}.${String(nanoseconds).padStart(9, "0")}`;
}

/** Seconds from one time to another. */
export function secondsBetween(from: CaptureTime, to: CaptureTime): number {
  return to.seconds - from.seconds + (to.nanoseconds - from.nanoseconds) / 1e9;
}
