/** A recording of RSProx written by hand, byte for byte. Source: the form of `BinaryHeader.kt` and `BinaryStream.kt`. */
import { joinBytes, parseHex } from "../../../../wire/index.ts";

/** Revision 239.1, world 301, observer 5; 56 bytes. */
export const head: Uint8Array = parseHex(`
  00000001 000000ef 00000001 04 00 0000018bcfe56800
  012d 00000001 00 77 2e 65 78 61 6d 70 6c 65 00 2d 00
  0005 0002 abcd 44 65 6d 6f 00 00000000`);
/** A body of `RECONNECT`. */
export const init: Uint8Array = Uint8Array.from({ length: 4608 }, (_, at) => (at * 5) & 0xff);
/** Player info after 600 ms, mouse movement after 620 ms, an initialisation. */
export const worked: Uint8Array = joinBytes([
  head,
  parseHex("8931 1c 0003 007ff4"),
  parseHex("28 6e 04 00005860"),
  parseHex("01 80ff 1200"),
  init,
]);

/** The head with a byte changed, or bytes in the place of others. */
export function headWith(at: number, hex: string, removed: number = hex.length / 2): Uint8Array {
  return joinBytes([head.subarray(0, at), parseHex(hex), head.subarray(at + removed)]);
}
