/** Payloads made up from the descriptions of a codec's messages. */
import type { Random } from "../../motion/index.ts";
import { generate } from "../../wire/describe/generate.ts";
import { encode } from "../../wire/index.ts";
import type { PayloadCodec, Side } from "../codec.ts";

/** Messages of a sender, with its id in front. */
export function generatedPayloads(codec: PayloadCodec, sender: Side, random: Random, count: number): Uint8Array[] {
  const { id, layouts } = codec;
  const messages = codec.messages.filter((each) => each.sender === sender);
  if (messages.length === 0) return [];
  return Array.from({ length: count }, () => {
    const { message, id: number } = random.pick(messages);
    const layout = layouts[sender][message];
    const body =
      layout === undefined ? new Uint8Array() : generate(layout.node, (low, high) => random.integer(low, high));
    return Uint8Array.of(...encode(id.layout, number), ...body);
  });
}
