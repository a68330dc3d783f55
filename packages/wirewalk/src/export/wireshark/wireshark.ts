/**
 * Dissectors for Wireshark, one Lua file for each game. The descriptions of the layouts stand in the file as tables, and one
 * reader in Lua follows them: no packet is described a second time.
 */
import { defaultDialect, type Protocol, type Side } from "../../protocols/index.ts";
import { ExportError, type ExportFormat, type ExportScope, messagesOf } from "../format.ts";
import { DescriptionWriter } from "./descriptions.ts";
import type { DissectedGame } from "./dissected-game.ts";
import { mapleDissector } from "./games/maplestory.ts";
import { osrsDissector } from "./games/osrs.ts";
import { scrapDissector } from "./games/scrap-mechanic.ts";
import { slimeDissector } from "./games/slime-online-2.ts";
import { compositesLua } from "./lua/composites.lua.ts";
import { describeLua } from "./lua/describe.lua.ts";
import { dissectorLua } from "./lua/dissector.lua.ts";
import { lz4Lua } from "./lua/lz4.lua.ts";
import { readerLua } from "./lua/reader.lua.ts";
import { treeLua } from "./lua/tree.lua.ts";
import { type LuaValue, luaString, luaText } from "./lua-text.ts";

const games: readonly DissectedGame[] = [slimeDissector, osrsDissector, mapleDissector, scrapDissector];

const sides: readonly Side[] = ["client", "server"];

/** The names of the protocols that have a dissector. */
export const dissectedProtocols: readonly string[] = games.map(({ protocol }) => protocol);

/** The name of a protocol's fields in Wireshark: `slime_online_2.movePlayer.x`. */
export function wiresharkName(protocol: string): string {
  return protocol.replaceAll("-", "_");
}

/**
 * The dissector of a protocol with the messages of a scope. Throws `RangeError` for a protocol without one.
 *
 * ```ts
 * import { wiresharkDissector } from "wirewalk/export";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const lua = wiresharkDissector({ protocol: slimeOnline2, dialects: ["v0106"] });
 * lua.includes('abbreviation = "slime_online_2"'); // => true
 * ```
 */
export function wiresharkDissector(scope: ExportScope): string {
  const { protocol } = scope;
  const game = games.find((each) => each.protocol === protocol.name);
  if (game === undefined) {
    throw new RangeError(`There is no dissector for ${protocol.name}: there are ${dissectedProtocols.join(", ")}`);
  }
  const first = defaultDialect(protocol);
  const dialects = scope.dialects.toSorted((a, b) => Number(b === first) - Number(a === first));
  const head: LuaValue = {
    abbreviation: wiresharkName(protocol.name),
    title: protocol.title,
    ports: String(protocol.defaultPort ?? ""),
    idName: protocol.codec(first).id.name,
    leastBytes: game.leastBytes,
    ...game.constants?.(protocol),
  };
  return [
    header(protocol, game),
    `local game = ${luaText(head)}\ngame.dialects, game.descriptions = {}, {}`,
    `function game.idText(id) return string.format(${luaString(game.idFormat)}, id) end\n`,
    readerLua,
    compositesLua,
    lz4Lua,
    describeLua,
    messagesLua(scope, game, dialects),
    treeLua,
    ...game.lua,
    dissectorLua,
  ].join("\n");
}

/** One Lua file a protocol. */
export const wireshark: ExportFormat = {
  name: "wireshark",
  summary: `a dissector for Wireshark in Lua, for ${dissectedProtocols.join(", ")}`,
  holdsAllDialects: true,
  files(scope) {
    const { name } = scope.protocol;
    if (dissectedProtocols.includes(name)) return [{ name: `${name}.lua`, text: wiresharkDissector(scope) }];
    // A dissector needs the frames and ciphers of its game in Lua.
    throw new ExportError(`it is made for the built-in games only: ${dissectedProtocols.join(", ")}`);
  },
};

function header(protocol: Protocol, game: DissectedGame): string {
  const lines = [
    `${protocol.title}: a dissector for Wireshark and tshark 4.0 or newer.`,
    "",
    `Made by Wirewalk: wirewalk export wireshark ${protocol.name}`,
    "The descriptions of the messages are those of Wirewalk's own reader. Do not edit them here: export the file again.",
    "",
    "To install: put this file into Wireshark's folder of personal Lua plugins (Help, About Wireshark, Folders) and start",
    "Wireshark again, or press Ctrl+Shift+L. To try it without installing:",
    `  tshark -X lua_script:${protocol.name}.lua -r FILE.pcapng`,
    `Settings: Edit, Preferences, Protocols, ${protocol.title}; or tshark -o ${wiresharkName(protocol.name)}.dialect:NAME`,
    ...(game.notes.length === 0 ? [] : ["", ...game.notes]),
    "",
    "MIT licence, as Wirewalk.",
  ];
  return lines.map((line) => `-- ${line}`.trimEnd()).join("\n");
}

const KINDS = [
  ...["integer", "smart", "float", "boolean", "oneOf", "prefix", "flags", "literal", "constant", "unused", "array"],
  ...["bytes", "text", "struct", "variant", "byLength", "mark", "bits", "limited", "sized", "compressed"],
];

const messagesHead = `
-- Messages --------------------------------------------------------------------------------------------------------------

do
  local function listIds(ids)
    for index, id in ipairs(ids) do ids[index] = game.idText(id) end
    return #ids == 0 and "nothing" or table.concat(ids, ", ")
  end
${KINDS.map((kind) => `  local ${kind} = describe.${kind}\n`).join("")}
  -- Descriptions that occur more than once.
  local shared = {}
  local dialect
`;

function messagesLua(scope: ExportScope, game: DissectedGame, dialects: readonly string[]): string {
  const writer = new DescriptionWriter();
  const rows = dialects.flatMap((name) => messagesOf(scope, scope.protocol.codec(name)));
  for (const { node } of rows) writer.count(node);
  const tables = dialects.map((name, index) => {
    const { id, ...codec } = scope.protocol.codec(name);
    const messages = messagesOf(scope, { id, ...codec });
    const lines = sides.flatMap((side) => {
      const own = messages.filter(({ sender }) => sender === side);
      const known = own.map((row) => row.id).toSorted((a, b) => a - b);
      return [
        `dialect.known.${side} = listIds(${luaText(known)})`,
        ...own.map((row) => {
          const table = { name: row.message, summary: row.summary, node: writer.write(row.node, row.message) };
          return `dialect.${side}[${row.id}] = ${luaText(table)}`;
        }),
      ];
    });
    return [
      `-- Dialect ${name}`,
      `dialect = ${luaText({ name, ...game.dialect(name) })}`,
      "dialect.client, dialect.server, dialect.known = {}, {}, {}",
      `dialect.id = ${luaText(writer.write(id.node, id.name))}`,
      ...lines,
      `game.dialects[${index + 1}] = dialect\n`,
    ].join("\n");
  });
  const others = Object.entries(game.descriptions ?? {}).map(
    ([name, node]) => `game.descriptions.${name} = ${luaText(writer.write(node, name))}`,
  );
  const more = Object.entries(game.tables?.(writer) ?? {}).map(([name, table]) => `game.${name} = ${luaText(table)}`);
  return [messagesHead, ...writer.definitions, "", ...tables, ...others, ...more, "end\n"].join("\n");
}
