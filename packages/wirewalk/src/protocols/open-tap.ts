/**
 * Opens the tap of a game.
 *
 * ```ts
 * import { openTap } from "wirewalk/protocol";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 * import { parseHex } from "wirewalk/wire";
 *
 * const tap = openTap(slimeOnline2, { dialect: "v0106", options: {} });
 * tap.push("client", parseHex("03 00 60 a2"));
 * tap.next("client"); // => undefined
 * tap.push("client", parseHex("0f"));
 * const { payload, message } = tap.next("client");
 * message.value.direction; // => "leftPressAir"
 * tap.frame("client", payload); // => parseHex("03 00 60 a2 0f")
 * ```
 *
 * @module
 */
import type { Channel, Side } from "./codec.ts";
import { requireMembers } from "./members.ts";
import type { StreamSetup } from "./packet-stream.ts";
import { packetStreams } from "./payload-stream.ts";
import type { Protocol } from "./protocol.ts";
import { Tap, type TapSetup } from "./tap.ts";

/**
 * Opens the tap of a game. Throws `WireError` for options that it refuses, `RangeError` for an unknown dialect, and
 * `MissingMemberError` for a game without channels.
 */
export function openTap(protocol: Protocol, setup: TapSetup): Tap {
  const tap = protocol.capabilities?.tap;
  if (tap !== undefined) return tap.open(setup);
  const game = requireMembers(protocol, ["openChannel"], "be read from beside");
  const open = (side: Side): Channel => {
    const sender = side === "client" ? "server" : "client";
    const streamSetup: StreamSetup = { dialect: setup.dialect, sender, framed: true, options: setup.options };
    const stream = Object.values(packetStreams(protocol)).find(({ senders }) => senders.includes(sender));
    const channel =
      stream?.openChannel?.(side, streamSetup) ??
      game.openChannel({ side: side as "client", dialect: setup.dialect, carrier: "stream" });
    if (channel.handshake === undefined) return channel;
    throw new RangeError(`${protocol.name} cannot be read from beside: its ends greet, and it has no capability tap`);
  };
  const receivers = { client: open("server"), server: open("client") };
  return new Tap({ client: { open: () => receivers.client }, server: { open: () => receivers.server } });
}
