/** Valid payloads to begin with. */
import type { PayloadCodec, PlayableProtocol, Side } from "wirewalk/protocol";

/** Seeds of one message. */
const SEEDS_PER_MESSAGE = 3;

export const sides: readonly Side[] = ["client", "server"];

/** Valid payloads of a codec, from a seed. */
export async function payloadsOf(codec: PayloadCodec, side: Side): Promise<Uint8Array[]> {
  const { createRandom } = await import("wirewalk/motion");
  const { generate } = await import("../../../packages/wirewalk/src/wire/describe/generate.ts");
  const random = createRandom(1);
  const draw = (low: number, high: number): number => random.integer(low, high);
  const payloads: Uint8Array[] = [];
  for (const { message, sender, id } of codec.messages) {
    const layout = codec.layouts[sender][message];
    if (sender !== side || layout === undefined) continue;
    const { encode } = await import("wirewalk/wire");
    const head = encode(codec.id.layout, id);
    for (let count = 0; count < SEEDS_PER_MESSAGE; count++) {
      const body = generate(layout.node, draw);
      payloads.push(Uint8Array.from([...head, ...body]));
    }
  }
  return payloads;
}

export async function protocolNamed(name: string): Promise<PlayableProtocol> {
  const { protocols } = await import("wirewalk/protocols");
  const protocol = protocols[name];
  if (protocol === undefined) throw new RangeError(`There is no protocol ${name}`);
  return protocol;
}

/** The codecs of all dialects of all games. */
export async function dialectCodecs(): Promise<readonly PayloadCodec[]> {
  const { protocols } = await import("wirewalk/protocols");
  return Object.values(protocols).flatMap((protocol) => protocol.dialects.map(({ name }) => protocol.codec(name)));
}
