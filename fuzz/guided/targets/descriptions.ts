/** Descriptions made up from bytes: the layouts' own readers against one that knows nothing but descriptions. */
import type { JsonValue, Layout, LayoutNode } from "wirewalk/wire";
import type { Target } from "../target.ts";
import { Choices, nodeFrom } from "./made-up-nodes.ts";
import { src } from "./sources.ts";

/** An input: how many bytes make the description, those bytes, then the bytes that it describes. */
export const descriptions: Target = {
  name: "descriptions",
  summary: "a made-up description and bytes: read, traced and written as the description alone says",
  cover: new RegExp(`${src}wire/(?!testing).*(?<!\\.test)\\.ts$`),
  maxBytes: 160,
  async open() {
    const { createRandom } = await import("wirewalk/motion");
    const { decode, encode, layoutOf, tilingFault, traceLayout, WireError } = await import("wirewalk/wire");
    const { interpret } = await import("../../../packages/wirewalk/src/wire/testing/interpret.ts");
    const { generate } = await import("../../../packages/wirewalk/src/wire/testing/generate.ts");
    const { compareReadings } = await import("../../../packages/wirewalk/src/protocols/testing/described-reading.ts");
    const parse = (input: Uint8Array): [LayoutNode, Uint8Array] => {
      const length = (input[0] ?? 0) % 64;
      return [nodeFrom(new Choices(input.subarray(1, 1 + length)), 0, false, true), input.subarray(1 + length)];
    };
    const layoutFrom = (node: LayoutNode): Layout<unknown> | undefined => {
      try {
        return layoutOf(node);
      } catch (error) {
        if (error instanceof TypeError || error instanceof RangeError) return undefined;
        throw error;
      }
    };
    const random = createRandom(5);
    const seeds: Uint8Array[] = [];
    while (seeds.length < 400) {
      const script = Uint8Array.from({ length: random.integer(1, 20) }, () => random.integer(0, 255));
      const node = nodeFrom(new Choices(script), 0, false, true);
      if (layoutFrom(node) === undefined) continue;
      const body = generate(node, (low, high) => random.integer(low, high));
      if (body.length < 100) seeds.push(Uint8Array.of(script.length, ...script, ...body));
    }
    return {
      seeds,
      run(input) {
        const [node, bytes] = parse(input);
        const layout = layoutFrom(node);
        if (layout === undefined) return;
        const say = (): string => JSON.stringify(node);
        const again = layoutOf(JSON.parse(JSON.stringify(layout.node)) as LayoutNode);
        if (JSON.stringify(again.node) !== JSON.stringify(layout.node))
          throw new Error(`${say()} is made again as another`);
        const trace = traceLayout(layout, bytes);
        let found: JsonValue | InstanceType<typeof WireError>;
        let value: unknown;
        try {
          value = decode(layout, bytes);
          found = layout.toJson(value);
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          found = error;
        }
        if (found instanceof WireError !== (trace.error !== undefined))
          throw new Error(`Trace and read differ for ${say()}`);
        try {
          compareReadings(bytes, found, interpret(node, bytes, 0));
        } catch (error) {
          throw new Error(`${error instanceof Error ? error.message : error}\n${say()}`, { cause: error });
        }
        if (found instanceof WireError) return;
        const fault = tilingFault(trace.fields, bytes.length);
        if (fault !== undefined) throw new Error(`The trace of ${say()}: ${fault}`);
        const text = JSON.stringify(found);
        const written = encode(layout, value);
        const back = JSON.stringify(layout.toJson(decode(layout, written)));
        if (back !== text) throw new Error(`${say()} reads ${text}, and what it writes of that as ${back}`);
        // Not the same bytes: the payload of a NaN is lost.
        const byJson = encode(layout, layout.fromJson(JSON.parse(text) as JsonValue));
        const readAgain = JSON.stringify(layout.toJson(decode(layout, byJson)));
        if (readAgain !== text)
          throw new Error(`${say()} reads ${text}, and what it writes of that JSON as ${readAgain}`);
      },
    };
  },
};
