/** Messages of MapleStory that send a client to another server: a channel after the login, or another channel. */
import type { WireMessage } from "../codec.ts";
import type { RedirectAddress, Redirecting } from "../redirect.ts";
import type { MapleServerMessage } from "./wire/codec.ts";

type Redirect = Extract<MapleServerMessage, { message: "serverIp" | "serverIpOfAll" | "changeChannel" }>;

function redirectIn(message: WireMessage): Redirect | undefined {
  const sent = message as MapleServerMessage;
  switch (sent.message) {
    case "serverIp":
    case "serverIpOfAll":
    case "changeChannel":
      return sent;
    default:
      return undefined;
  }
}

/** The four numbers of an address. Throws `RangeError` for anything else. */
function partsOf(host: string): readonly number[] {
  const parts = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) ? host.split(".").map(Number) : [];
  if (parts.length === 4 && parts.every((part) => part <= 255)) return parts;
  throw new RangeError(`${host} is no IPv4 address, and the message holds no other`);
}

/** Capability `redirects`. */
export const mapleRedirects: Redirecting = {
  messages: ["serverIp", "serverIpOfAll", "changeChannel"],
  addressOf(message): RedirectAddress | undefined {
    const { ip, port } = redirectIn(message)?.value ?? {};
    return ip === undefined || port === undefined ? undefined : { host: ip.join("."), port };
  },
  withAddress(message, { host, port }): WireMessage {
    const ip = partsOf(host);
    if (!(Number.isInteger(port) && port >= 0 && port <= 0xffff)) throw new RangeError(`There is no port ${port}`);
    return { ...message, value: { ...message.value, ip, port } } as WireMessage;
  },
};
