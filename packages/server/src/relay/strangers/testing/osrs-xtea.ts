/** XTEA of whole blocks of 8 bytes, big-endian, 32 rounds. What is left over stays as it is. */
const GOLDEN = 0x9e3779b9;
const ROUNDS = 32;

export function xtea(
  direction: "encipher" | "decipher",
  data: Buffer,
  key: readonly [number, number, number, number],
): Buffer {
  const bytes = Buffer.from(data);
  const mixed = (half: number): number => (((half << 4) ^ (half >>> 5)) + half) | 0;
  const keyed = (sum: number, shift: number): number => (sum + (key[((sum >>> shift) & 3) as 0 | 1 | 2 | 3] ?? 0)) | 0;
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    let [left, right] = [bytes.readInt32BE(at), bytes.readInt32BE(at + 4)];
    let sum = direction === "encipher" ? 0 : Math.imul(GOLDEN, ROUNDS);
    for (let round = 0; round < ROUNDS; round++) {
      if (direction === "encipher") {
        left = (left + (mixed(right) ^ keyed(sum, 0))) | 0;
        sum = (sum + GOLDEN) | 0;
        right = (right + (mixed(left) ^ keyed(sum, 11))) | 0;
      } else {
        right = (right - (mixed(left) ^ keyed(sum, 11))) | 0;
        sum = (sum - GOLDEN) | 0;
        left = (left - (mixed(right) ^ keyed(sum, 0))) | 0;
      }
    }
    bytes.writeInt32BE(left, at);
    bytes.writeInt32BE(right, at + 4);
  }
  return bytes;
}
