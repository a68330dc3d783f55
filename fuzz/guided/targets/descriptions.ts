/** Descriptions made up from bytes: the layouts' own readers against one that knows nothing but descriptions. */
import type { JsonValue, Layout, LayoutNode } from "wirewalk/wire";
import type { Target } from "../target.ts";
import { changeValue } from "./change-value.ts";
import { Choices, nodeFrom } from "./made-up-nodes.ts";
import { src } from "./sources.ts";

/**
 * An input: how many bytes make the description, those bytes, how many bytes change the value, those bytes, then the bytes that
 * are described.
 */
export const descriptions: Target = {
  name: "descriptions",
  summary: "a made-up description and bytes: read, traced and written as the description alone says",
  cover: new RegExp(`${src}wire/(?!testing).*(?<!\\.test)\\.ts$`),
  maxBytes: 160,
  async open() {
    const { createRandom } = await import("wirewalk/motion");
    const { decode, encode, fromJson, layoutOf, toJson, WireError } = await import("wirewalk/wire");
    const { generate } = await import("../../../packages/wirewalk/src/wire/describe/generate.ts");
    const { compareInterpreter } = await import("../../../packages/wirewalk/src/protocols/testing/codec-proof.ts");
    const parse = (input: Uint8Array): [LayoutNode, Uint8Array, Uint8Array] => {
      const length = (input[0] ?? 0) % 64;
      const rest = input.subarray(1 + length);
      const changes = (rest[0] ?? 0) % 16;
      const node = nodeFrom(new Choices(input.subarray(1, 1 + length)), 0, false, true);
      return [node, rest.subarray(1, 1 + changes), rest.subarray(1 + changes)];
    };
    /** What `work` gives; undefined for what is refused as it should be. */
    const unlessRefused = <Value>(
      work: () => Value,
      refusals: readonly (typeof RangeError | typeof WireError)[],
    ): Value | undefined => {
      try {
        return work();
      } catch (error) {
        if (refusals.some((refusal) => error instanceof refusal)) return undefined;
        throw error;
      }
    };
    /** Changed values and changed JSON are refused, or their bytes are read. */
    const change = (layout: Layout<unknown>, value: unknown, json: JsonValue, script: Uint8Array): void => {
      const mustBeRead = (bytes: Uint8Array): void => {
        const again = encode(layout, decode(layout, bytes));
        // Not the same bytes: a NaN loses its payload. As long they are.
        if (again.length !== bytes.length)
          throw new Error(`${bytes.length} bytes are written again as ${again.length}`);
      };
      const changedJson = { value: structuredClone(json) as unknown };
      changeValue(changedJson, script, true);
      const parsed = unlessRefused(() => ({ value: fromJson(layout, changedJson.value as JsonValue) }), [WireError]);
      // What JSON was read as can be written.
      const byJson = parsed && encode(layout, parsed.value);
      if (byJson !== undefined) mustBeRead(byJson);
      const changed = { value: structuredClone(value) };
      changeValue(changed, script, false);
      const written = unlessRefused(() => encode(layout, changed.value), [RangeError, TypeError as never]);
      if (written !== undefined) mustBeRead(written);
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
      const changes = Uint8Array.from({ length: 3 }, () => random.integer(0, 255));
      if (body.length < 100) seeds.push(Uint8Array.of(script.length, ...script, 3, ...changes, ...body));
    }
    return {
      seeds,
      run(input) {
        const [node, changes, bytes] = parse(input);
        const layout = layoutFrom(node);
        if (layout === undefined) return;
        const say = (): string => JSON.stringify(node);
        const again = layoutOf(JSON.parse(JSON.stringify(layout.node)) as LayoutNode);
        if (JSON.stringify(again.node) !== JSON.stringify(layout.node))
          throw new Error(`${say()} is made again as another`);
        const read = compareInterpreter(layout, bytes);
        if ("error" in read) return;
        const { value } = read;
        const found = toJson(layout, value);
        if (node.kind === "struct" && node.kept !== undefined) {
          // All of it is kept: the bytes stand for the message.
          const whole = { [node.kept.name]: bytes };
          if (encode(layout, whole).join() !== bytes.join()) throw new Error(`${say()} does not write what it kept`);
          if (JSON.stringify(toJson(layout, whole)) !== JSON.stringify(found))
            throw new Error(`${say()} has other JSON of what it kept`);
          const wrong = { [node.kept.name]: changes[0] };
          if (changes.length > 0 && unlessRefused(() => encode(layout, wrong), [TypeError as never]) !== undefined)
            throw new Error(`${say()} writes a number in place of what it kept`);
        }
        const text = JSON.stringify(found);
        const written = encode(layout, value);
        const back = JSON.stringify(toJson(layout, decode(layout, written)));
        if (back !== text) throw new Error(`${say()} reads ${text}, and what it writes of that as ${back}`);
        try {
          if (changes.length > 0) change(layout, value, JSON.parse(text) as JsonValue, changes);
        } catch (error) {
          throw new Error(`${say()} with a changed value: ${error}`, { cause: error });
        }
      },
    };
  },
};
