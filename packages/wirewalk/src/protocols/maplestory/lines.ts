/**
 * Lines of payloads, as every game has them, and one flag more: with `--framed` the IV of a capture that does not begin
 * with its hello.
 */
import { parseHex, WireError } from "../../wire/index.ts";
import type { ChannelOptions } from "../codec.ts";
import type { LineConverter, LineOptions, LineTools } from "../line-tools.ts";
import { payloadLines } from "../lines.ts";
import { defaultHello, type Hello, openMapleChannel } from "./wire/channel.ts";
import { IV_BYTES } from "./wire/cipher.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec } from "./wire/codec.ts";
import { dialectRules } from "./wire/dialect.ts";

const summary = "Payloads in hex: opcode and body, without hello, header and cipher.";
const usual = payloadLines({ summary, codec: mapleCodec, openChannel: openMapleChannel });

/** What `wirewalk decode`, `encode` and `inspect` call. When the IV is wrong every line says so. */
export const mapleLines: LineTools = {
  ...usual,
  flags: [
    {
      flag: "--iv <hex>",
      summary: "with --framed: the stream begins without hello, and its first frame has this IV",
    },
  ],
  decoder: (options) => opened(options, (tools) => tools.decoder(options)),
  encoder: (options) => opened(options, (tools) => tools.encoder(options)),
  trace(bytes, options) {
    try {
      return toolsFor(options).trace(bytes, options);
    } catch (error) {
      if (error instanceof WireError) return [{ bytes, fields: [], error }];
      throw error;
    }
  },
};

function opened(options: LineOptions, open: (tools: LineTools) => LineConverter): LineConverter {
  try {
    return open(toolsFor(options));
  } catch (error) {
    if (error instanceof WireError) return { line: () => [{ error }], end: () => [] };
    throw error;
  }
}

function toolsFor({ dialect, framed, flags }: LineOptions): LineTools {
  const { iv } = flags;
  if (typeof iv !== "string") return usual;
  if (!framed) throw refused("it is for carried bytes: --framed is missing");
  if (!dialectRules(dialect).ciphered) throw refused(`${dialect} has no cipher`);
  const hello = helloOf(iv);
  return payloadLines<MapleClientMessage, MapleServerMessage>({
    summary,
    codec: mapleCodec,
    openChannel: (options: ChannelOptions) => openMapleChannel({ ...options, hello, greeted: true }),
  });
}

/** Lines come from one side: the other's IV is not used. */
function helloOf(text: string): Hello {
  let iv: Uint8Array;
  try {
    iv = parseHex(text);
  } catch {
    throw refused("it must be hex");
  }
  if (iv.length !== IV_BYTES) throw refused(`it must have ${IV_BYTES} bytes, got ${iv.length}`);
  return { ...defaultHello, recvIv: iv, sendIv: iv };
}

function refused(why: string): WireError {
  return new WireError("bad-value", `Cannot read iv: ${why}`, 0, "iv");
}
