/** A packet in the page's address: `#inspect?p=slime-online-2&d=v0106&s=client&b=AgAKAA`. It never leaves the browser: a fragment is not sent. */
import type { Reading } from "./reading.ts";

/** Bytes in a link. An address of 8,000 characters passes through chats and mail; base64 needs four for three bytes. */
export const MAX_LINK_BYTES = 5_400;

export interface Linked {
  /** Undefined: it is tried what fits. */
  readonly reading: Reading | undefined;
  readonly bytes: Uint8Array;
}

/** The fragment of the inspector's address. */
const INSPECT_HASH = "#inspect";

/** Undefined for more bytes than a link holds. */
export function writeLink({ reading, bytes }: Linked): string | undefined {
  if (bytes.length > MAX_LINK_BYTES) return undefined;
  const query = new URLSearchParams();
  if (reading !== undefined) {
    query.set("p", reading.part === "" ? reading.protocol : `${reading.protocol}/${reading.part}`);
    query.set("d", reading.dialect);
    query.set("s", reading.sender);
    if (reading.framed) query.set("f", "1");
  }
  query.set("b", toBase64Url(bytes));
  return `${INSPECT_HASH}?${query}`;
}

/** Undefined for an address without a packet, and for one that cannot be read. */
export function readLink(hash: string): Linked | undefined {
  if (!hash.startsWith(`${INSPECT_HASH}?`)) return undefined;
  const query = new URLSearchParams(hash.slice(INSPECT_HASH.length + 1));
  const bytes = fromBase64Url(query.get("b") ?? "");
  if (bytes === undefined || bytes.length > MAX_LINK_BYTES) return undefined;
  const [protocol = "", part = ""] = (query.get("p") ?? "").split("/");
  const [dialect, sender] = [query.get("d"), query.get("s")];
  if (protocol === "" || dialect === null || (sender !== "client" && sender !== "server")) {
    return { reading: undefined, bytes };
  }
  return { reading: { protocol, part, dialect, sender, framed: query.get("f") === "1" }, bytes };
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array | undefined {
  if (text === "" || !/^[\w-]+$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
