/**
 * **Ban keys**: what a ban applies to. The kind is part of the key, so that a login name that looks like an address is no
 * address. An unverified name, such as `?account=`, is never a key: any player could have another one banned.
 *
 * ```ts
 * loginKey("ann"); // "login:ann"
 * addressKey("::ffff:192.0.2.7"); // "address:192.0.2.7"
 * addressKey("2001:db8:0:1:a::7"); // "address:2001:db8:0:1::/64"
 * ```
 */
import { isIP, isIPv4, isIPv6 } from "node:net";

/**
 * - `login`: a name whose password was checked.
 * - `address`: an IPv4 address or an IPv6 network of 64 bits.
 * - `session`: one connection. Such a ban ends with it and is not kept.
 */
export type BanKind = "login" | "address" | "session";

export type BanKey = `${BanKind}:${string}`;

const KINDS: readonly BanKind[] = ["login", "address", "session"];

/** Words of 16 bits that name an IPv6 network: a provider gives a customer at least a network of 64 bits (RFC 6177). */
const NETWORK_WORDS = 4;

/** The key of a name whose password was checked. */
export function loginKey(name: string): BanKey {
  return `login:${name}`;
}

/** The key of a remote address, or undefined when the text is not an address. */
export function addressKey(address: string): BanKey | undefined {
  const group = addressGroup(address);
  return group === undefined ? undefined : `address:${group}`;
}

/** The key of one connection. */
export function sessionKey(id: number): BanKey {
  return `session:${id}`;
}

export function banKind(key: BanKey): BanKind {
  return key.slice(0, key.indexOf(":")) as BanKind;
}

/** The part after the kind. */
export function banValue(key: BanKey): string {
  return key.slice(key.indexOf(":") + 1);
}

/**
 * Parses what `wirewalk bans list` prints. An address may be any of its network. Undefined for a text without a kind, with
 * an unknown kind, or without a value.
 */
export function parseBanKey(text: string): BanKey | undefined {
  const colon = text.indexOf(":");
  const kind = KINDS.find((each) => each === text.slice(0, colon));
  const value = text.slice(colon + 1);
  if (kind === undefined || value === "") return undefined;
  if (kind !== "address") return `${kind}:${value}`;
  const [address, bits, ...rest] = value.split("/") as [string, ...string[]];
  if (rest.length > 0 || (bits !== undefined && !(bits === "64" && isIPv6(address)))) return undefined;
  return addressKey(address);
}

/**
 * What counts as one peer in limits and bans: an IPv4 address, or an IPv6 network of 64 bits, since one customer has all
 * addresses of such a network. Addresses that IPv6 maps from IPv4 are IPv4. Link-local addresses and `::1` count whole: one
 * network has all neighbours. Undefined when the text is not an address.
 */
export function addressGroup(address: string): string | undefined {
  const plain = plainAddress(address);
  if (plain === undefined || isIPv4(plain)) return plain;
  const words = wordsOf(plain);
  if (isLinkLocal(words) || plain === "::1") return plain;
  return `${formatIPv6([...words.slice(0, NETWORK_WORDS), 0, 0, 0, 0])}/64`;
}

/** The group of an address; a text that is not an address, such as that of a link without a socket, as it is. */
export function peerOf(address: string): string {
  return addressGroup(address) ?? address;
}

/**
 * An address in one spelling: IPv6 as RFC 5952 writes it, without a zone, and IPv4 where it is mapped into IPv6. Undefined
 * when the text is not an address.
 */
export function plainAddress(address: string): string | undefined {
  const [text] = address.split("%", 1) as [string];
  if (isIP(text) !== 6) return isIPv4(text) ? text : undefined;
  const words = wordsOf(text);
  const [high, low] = words.slice(6) as [number, number];
  const isMapped = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
  return isMapped ? [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".") : formatIPv6(words);
}

/** 127.0.0.0/8 and ::1. */
export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address);
  return plain === "::1" || plain?.startsWith("127.") === true;
}

/** fe80::/10. */
function isLinkLocal(words: readonly number[]): boolean {
  return ((words[0] as number) & 0xffc0) === 0xfe80;
}

/** The eight words of a valid IPv6 address without a zone. */
function wordsOf(address: string): number[] {
  const [before, after] = address.split("::", 2) as [string, string?];
  const head = wordsIn(before);
  if (after === undefined) return head;
  const tail = wordsIn(after);
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function wordsIn(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((word) => {
    if (!word.includes(".")) return [Number.parseInt(word, 16)];
    const [a, b, c, d] = word.split(".").map(Number) as [number, number, number, number];
    return [(a << 8) | b, (c << 8) | d];
  });
}

/** Small letters, no leading zeros, and `::` for the first of the longest runs of two or more zeros (RFC 5952). */
function formatIPv6(words: readonly number[]): string {
  let [start, length] = [0, 1];
  for (let at = 0; at < words.length; at += 1) {
    let end = at;
    while (words[end] === 0) end += 1;
    if (end - at > length) [start, length] = [at, end - at];
  }
  const text = (part: readonly number[]): string => part.map((word) => word.toString(16)).join(":");
  if (length === 1) return text(words);
  return `${text(words.slice(0, start))}::${text(words.slice(start + length))}`;
}
