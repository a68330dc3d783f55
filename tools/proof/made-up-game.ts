/** A game whose messages are made up of every kind of description: what no real game has yet, a language must have too. */
import type { Protocol } from "wirewalk/protocol";
import { Choices, nodeFrom } from "../../fuzz/guided/targets/made-up-nodes.ts";
import type { Language } from "../../packages/wirewalk/src/compile/language.ts";
import { typedDialect } from "../../packages/wirewalk/src/compile/typed/program.ts";
import { createRandom } from "../../packages/wirewalk/src/motion/index.ts";
import { messageTable } from "../../packages/wirewalk/src/protocols/index.ts";
import {
  array,
  type Layout,
  type LayoutNode,
  layoutOf,
  struct,
  u8,
  u16le,
} from "../../packages/wirewalk/src/wire/index.ts";

const DIALECT = "plain";

/** The game, and why descriptions that came up on the way are not in it. */
export interface MadeUpGame {
  readonly protocol: Protocol;
  readonly refused: readonly string[];
}

/** So many messages that a language has, by a seed. */
export function madeUpGame(language: Language, seed: number, messages: number): MadeUpGame {
  const random = createRandom(seed);
  const layouts: Layout<object>[] = [];
  const refused: string[] = [];
  while (layouts.length < messages) {
    const script = Uint8Array.from({ length: random.integer(1, 60) }, () => random.integer(0, 255));
    const node = nodeFrom(new Choices(script), 0, false, true);
    const layout = layoutFrom(node, layouts.length);
    if (layout === undefined) continue;
    try {
      const dialect = typedDialect(gameOf([layout]).node, language.reserved);
      language.codec({ game: "made-up", dialect, header: [] });
      language.driver({ game: "made-up", dialect, header: [] });
      layouts.push(layout);
    } catch (error) {
      if (!(error instanceof TypeError && error.message.startsWith("Cannot compile "))) throw error;
      refused.push(error.message);
    }
  }
  return { protocol: gameOf(layouts).protocol, refused };
}

/** Alone, beside a number, or as the items of a list; undefined for a description that is none. */
function layoutFrom(node: LayoutNode, count: number): Layout<object> | undefined {
  try {
    const layout = layoutOf(node) as Layout<never>;
    const alone = struct({ value: layout });
    if (count % 3 === 0) return alone;
    return count % 3 === 1
      ? struct({ level: u8, value: layout })
      : (array(alone, { count: u8, limit: 9 }) as unknown as Layout<object>);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function gameOf(layouts: readonly Layout<object>[]) {
  const rows = layouts.map((layout, id) => ({
    sender: id % 2 === 0 ? ("client" as const) : ("server" as const),
    id,
    message: `message${id}`,
    layout,
    summary: `made-up message ${id}`,
  }));
  const codec = messageTable({ dialect: DIALECT, idName: "opcode", id: u16le, rows });
  const protocol: Protocol = {
    name: "made-up",
    title: "Made up",
    summary: "",
    dialects: [{ name: DIALECT, source: "document", summary: "" }],
    codec: () => codec as never,
  };
  const messages = rows.map(({ layout, ...row }) => ({ ...row, node: layout.node }));
  return { protocol, node: { dialect: DIALECT, idName: "opcode", id: u16le.node, messages } };
}
