/** Connections of MapleStory read from beside: the hello of the server has the first IV of both directions (standard 2.2). */
import { ByteReader, decode, WireError } from "../../wire/index.ts";
import type { Channel, Side } from "../codec.ts";
import { Tap, type Tapping, type TapSetup } from "../tap.ts";
import { type Hello, hello, MAX_HELLO_BYTES, openMapleChannel } from "./wire/channel.ts";
import { dialectRules, mapleDialects } from "./wire/dialect.ts";
import { resumeMaple } from "./wire/resume.ts";

const LENGTH_BYTES = 2;

/** Capability `tap`. */
export const mapleTap: Tapping = {
  options: [],
  open({ dialect }: TapSetup): Tap {
    const { ciphered } = dialectRules(dialect);
    let greeting: Hello | undefined;
    const open = (side: Side): Channel | undefined => {
      if (ciphered === undefined)
        return openMapleChannel({ side: side as "client", dialect, carrier: "stream" }) as Channel;
      if (greeting === undefined) return undefined;
      return openMapleChannel({
        side: side as "client",
        dialect,
        carrier: "stream",
        hello: greeting,
        greeted: true,
      }) as Channel;
    };
    if (ciphered === undefined) {
      return new Tap({ client: { open: () => open("server") }, server: { open: () => open("client") } });
    }
    return new Tap({
      client: { open: () => open("server") },
      server: {
        lead: { what: "greeting", length: helloLength },
        open(lead) {
          greeting ??= readHello(lead, ciphered.version);
          return open("client");
        },
      },
    });
  },
  resume: resumeMaple,
};

function helloLength(held: Uint8Array): number | undefined {
  if (held.length < LENGTH_BYTES) return undefined;
  const length = new ByteReader(held).u16le();
  if (length <= MAX_HELLO_BYTES) return LENGTH_BYTES + length;
  throw new WireError(
    "limit",
    `Cannot read hello length: ${length} is over its limit of ${MAX_HELLO_BYTES} at byte 0`,
    0,
  );
}

function readHello(frame: Uint8Array, version: number): Hello {
  const received = decode(hello, frame.subarray(LENGTH_BYTES));
  if (received.version === version) return received;
  const other = mapleDialects.find((each) => each.ciphered?.version === received.version);
  const hint = other === undefined ? "" : `: it is dialect ${other.name}`;
  throw new WireError(
    "bad-value",
    `Cannot read hello: version ${received.version} is not ${version}${hint}`,
    LENGTH_BYTES * 8,
  );
}
