/**
 * Payloads of MapleStory as a packet stream, with one option: the IV of a framed stream that does not begin with its
 * hello.
 */
import { parseHex, WireError } from "../../wire/index.ts";
import type { StreamSetup } from "../packet-stream.ts";
import { payloadStream } from "../payload-stream.ts";
import { defaultHello, type Hello, type MapleChannelOptions, openMapleChannel } from "./wire/channel.ts";
import { IV_BYTES } from "./wire/cipher.ts";
import { mapleCodec } from "./wire/codec.ts";
import { dialectRules } from "./wire/dialect.ts";

/** The game's payloads. */
export const mapleStream = payloadStream({
  summary: "Payloads in hex: opcode and body, without hello, header and cipher.",
  options: [
    {
      name: "iv",
      kind: "hex",
      bytes: 4,
      framedOnly: true,
      summary: "framed: the stream begins without hello, and its first frame has this IV",
    },
  ],
  codec({ dialect, framed, options }) {
    if (options.iv !== undefined && !framed) throw refused("it is for framed streams: bare payloads are not ciphered");
    return mapleCodec(dialect);
  },
  openChannel: (side, setup) =>
    openMapleChannel({ side, dialect: setup.dialect, carrier: "stream", ...greetingOf(setup) }),
});

/** A stream with an IV is joined after its hello. The packets are of one side: the other side's IV is not used. */
function greetingOf({ dialect, options }: StreamSetup): Pick<MapleChannelOptions, "hello" | "greeted"> {
  const { iv } = options;
  if (typeof iv !== "string") return {};
  if (dialectRules(dialect).ciphered === undefined) throw refused(`${dialect} has no cipher`);
  return { hello: helloOf(dialect, iv), greeted: true };
}

function helloOf(dialect: string, text: string): Hello {
  let iv: Uint8Array;
  try {
    iv = parseHex(text);
  } catch {
    throw refused("it must be hex");
  }
  if (iv.length !== IV_BYTES) throw refused(`it must have ${IV_BYTES} bytes, got ${iv.length}`);
  return { ...defaultHello(dialect), recvIv: iv, sendIv: iv };
}

function refused(why: string): WireError {
  return new WireError("bad-value", `Cannot read iv: ${why}`, 0, "iv");
}
