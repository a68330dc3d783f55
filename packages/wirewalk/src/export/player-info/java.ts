/** Player info in Java: the blocks of a revision around the passes. */
import { javaClassName, javaFile, printInterface } from "../../compile/java/module.ts";
import { readerName } from "../../compile/java/print-read.ts";
import { sizeName, writerName } from "../../compile/java/print-write.ts";
import { javaRuntime, type MoreOfError, wireError } from "../../compile/java/runtime.ts";
import { type JavaNames, javaTypeNames, textLiteral } from "../../compile/java/types.ts";
import type { Lines } from "../../compile/lines.ts";
import type { RecordType } from "../../compile/typed/types.ts";
import { javaDecoder } from "./java-decoder.ts";
import { javaDriver } from "./java-driver.ts";
import { javaEncoder } from "./java-encoder.ts";
import { javaTest } from "./java-test.ts";
import { blocksOf, keepings, type PassesBlock, type PassesLanguage, type PlayerInfoSource, stopOf } from "./passes.ts";

/** What a refusal of player info says besides. */
const moreOfError: MoreOfError = {
  codes: [["bad-state", "No initialisation came before."]],
  numbers: [
    ["pass", "1 to 4 are the passes, 0 what comes before them, 5 the masks and the end."],
    ["index", "The player that was read; 0 between players."],
  ],
};

/** Player info in Java 17. */
export const javaPasses: PassesLanguage = {
  reserved: [
    ...javaTypeNames,
    ..."Block Crash Decoder Encoder IllegalStateException Integer Masks Memory Move MoveType Short Standing Update".split(
      " ",
    ),
  ],
  codec: (source) => ({ name: `${classOf(source)}.java`, text: fileOf(source) }),
  test: (source, vectors) => ({
    name: `${classOf(source)}Test.java`,
    text: javaTest(classOf(source), source.header, vectors),
  }),
  driver: (source) => ({ name: `${classOf(source)}Proof.java`, text: javaDriver(classOf(source), source) }),
};

/** `OsrsPlayerInfo206Client`. */
const classOf = ({ revision, passes }: PlayerInfoSource): string =>
  javaClassName(`osrs-player-info-${revision.name}`, passes.name);

function fileOf(source: PlayerInfoSource): string {
  const className = classOf(source);
  const { revision, passes } = source;
  const blocks = blocksOf(source);
  return javaFile(className, source, {
    about: [
      `Player info of revision ${revision.name}, dialect ${passes.name}: a client's {@link Decoder}, a server's {@link Encoder}.`,
      "",
      `<p>Numbers in comments are sections of the standard, docs/protocols/osrs-player-info.md of Wirewalk.`,
    ],
    error: wireError(moreOfError),
    parts: javaRuntime,
    print: (names, lines) => {
      printTables(source, blocks, lines);
      printBlocks(className, blocks, names, lines);
      lines.list.push("", ...javaDecoder.split("\n"), "", ...javaEncoder.split("\n"));
    },
  });
}

const bytesText = (bytes: Uint8Array): string =>
  `{${Array.from(bytes, (byte) => (byte < 128 ? String(byte) : `(byte) ${byte}`)).join(", ")}}`;

function printTables(source: PlayerInfoSource, blocks: readonly PassesBlock[], lines: Lines): void {
  const { revision, passes } = source;
  const [second = 0, third = 0] = revision.extensions;
  const stop = stopOf(source);
  const list = (type: string, name: string, values: readonly string[]): void =>
    lines.add(`private static final ${type}[] ${name} = {${values.join(", ")}};`);
  lines.add("", "// How the passes of this dialect go (1.5).");
  lines.add(`private static final boolean ALIGNS_PASSES = ${passes.alignsPasses};`);
  list("int", "PASS_FLAGS", passes.passFlags.map(String));
  lines.add(`private static final boolean FLAGS_ADDED = ${passes.flagsAdded};`);
  lines.add("", "// The mask blocks of the revision, in the order in which its client reads them (6).");
  lines.add(`private static final int SECOND_BYTE = ${second};`, `private static final int THIRD_BYTE = ${third};`);
  list(
    "int",
    "BLOCK_FLAGS",
    blocks.map(({ flag }) => `0x${flag.toString(16)}`),
  );
  list(
    "String",
    "BLOCK_NAMES",
    blocks.map(({ name }) => textLiteral(name)),
  );
  lines.add("", "// How long a client keeps a block's value (8.4).");
  keepings.forEach((keeping, value) => {
    lines.add(
      `private static final int ${keeping === undefined ? "NOT_KEPT" : `KEPT_${keeping.toUpperCase()}`} = ${value};`,
    );
  });
  list(
    "int",
    "BLOCK_KEPT",
    blocks.map(({ kept }) => String(keepings.indexOf(kept))),
  );
  list(
    "int",
    "KEPT_BY_INDEX",
    blocks.flatMap(({ kept, ordinal }) => (kept === "index" ? [String(ordinal)] : [])),
  );
  lines.add("", "// Blocks that are dropped instead of waiting, that may differ by observer, and that need another.");
  list(
    "boolean",
    "BLOCK_DROPS",
    blocks.map(({ late }) => String(late === "drop")),
  );
  list(
    "boolean",
    "BLOCK_PER_OBSERVER",
    blocks.map(({ perObserver }) => String(perObserver === true)),
  );
  list(
    "int",
    "BLOCK_NEEDS",
    blocks.map(({ needed }) => String(needed)),
  );
  lines.add("", "// For a new player of a used slot; and the block that keeps clients from walking one who teleports.");
  list(
    "byte[]",
    "BLOCK_INITIAL",
    blocks.map(({ initialBytes: bytes }) => (bytes === undefined ? "null" : bytesText(bytes))),
  );
  lines.add(`private static final int STOP_BLOCK = ${stop.ordinal};`);
  lines.add(`private static final byte[] STOP_BYTES = ${bytesText(stop.bytes)};`);
}

/** A member of a block's value: how it is written, for `own`. */
function memberOf({ message }: PassesBlock, key: string, names: JavaNames): string {
  return `own.value().${names.memberOf(message.type as RecordType, key)}()`;
}

function printBlocks(className: string, blocks: readonly PassesBlock[], names: JavaNames, lines: Lines): void {
  lines.add("", "/** A mask block. */");
  printInterface(
    "Block",
    className,
    blocks.map(({ message }) => message),
    names,
    lines,
    {
      name: "ordinal",
      doc: "Its place in the order in which the client reads blocks, from 0 on.",
    },
  );
  lines.add("", "/** Reads a block; null where it is refused. */");
  lines.block("private static Block readBlock(int ordinal, In in, int end) {", () => {
    lines.block("switch (ordinal) {", () => {
      for (const { ordinal, message } of blocks)
        lines.block(`case ${ordinal} -> {`, () => {
          lines.add(`${names.typeOf(message.type, true)} value = ${readerName(message.functionName)}(in, end);`);
          lines.add(`return value == null ? null : new Block.${message.name}(value);`);
        });
      lines.add('default -> throw new IllegalStateException("There is no such block");');
    });
  });
  lines.add(
    "",
    "/**",
    " * Reads a block, without its flag, that fills the bytes.",
    " *",
    " * @throws WireError for bytes that are no such block",
    " */",
  );
  lines.block("public static Block blockOf(int ordinal, byte[] bytes, int offset, int length) {", () => {
    lines.add("java.util.Objects.checkFromIndexSize(offset, length, bytes.length);", "In in = new In(bytes, offset);");
    lines.add("Block block = readBlock(ordinal, in, offset + length);");
    lines.block("if (block == null) {", () => lines.add("throw in.error();"));
    lines.block("if (in.at != offset + length) {", () =>
      lines.add('throw new WireError(Code.TRAILING, "", (in.at - offset) * 8L, 0, 0);'),
    );
    lines.add("return block;");
  });
  const each = (print: (block: PassesBlock) => string | undefined): void => {
    for (const block of blocks) {
      const text = print(block);
      if (text !== undefined)
        lines.block(`if (block instanceof Block.${block.message.name} own) {`, () => lines.add(text));
    }
  };
  lines.add("", "/** How many bytes a block takes, without its flag. */");
  lines.block("private static int sizeOfBlock(Block block) {", () => {
    each(({ message }) => `return ${sizeName(message.functionName)}(own.value());`);
    lines.add('throw new IllegalArgumentException("Cannot write block: it is none");');
  });
  lines.add("", "/** Writes a block without its flag, and gives the place after it. */");
  lines.block("private static int writeBlock(Block block, byte[] bytes, int at) {", () => {
    each(({ message }) => `return ${writerName(message.functionName)}(bytes, at, own.value());`);
    lines.add('throw new IllegalArgumentException("Cannot write block: it is none");');
  });
  lines.add("", "/** The first field that the client cannot use (8.8); null where there is none. */");
  lines.block("private static String unmetNeed(Block block) {", () => {
    for (const block of blocks) {
      const { name, clientNeeds = [], message } = block;
      if (clientNeeds.length === 0) continue;
      lines.block(`if (block instanceof Block.${message.name} own) {`, () => {
        for (const { field, allowed, minLength } of clientNeeds) {
          const text = memberOf(block, field, names);
          const type = (message.type as RecordType).members.find(({ key }) => key === field)?.type;
          const short = type?.is === "bytes" ? `${text}.length` : `${text}.length()`;
          const tests = [
            ...(minLength === undefined ? [] : [`${short} < ${minLength}`]),
            ...(allowed === undefined
              ? []
              : [
                  allowed
                    .map((one) =>
                      typeof one === "number" ? `${text} != ${one}` : `(${text} < ${one[0]} || ${text} > ${one[1]})`,
                    )
                    .join(" && "),
                ]),
          ];
          lines.block(`if (${tests.join(" || ")}) {`, () => lines.add(`return ${textLiteral(`${name}.${field}`)};`));
        }
      });
    }
    lines.add("return null;");
  });
  const first = ({ message }: PassesBlock) => (message.type as RecordType).members[0];
  const takesName = blocks.filter((block) => block.needed >= 0 && first(block)?.type.is === "text");
  lines.add("", "/** Whether the client looks for the name in the appearance because of the text. */");
  lines.block("private static boolean asksForName(Block block) {", () => {
    for (const block of takesName)
      lines.block(`if (block instanceof Block.${block.message.name} own) {`, () =>
        lines.add(`return ${memberOf(block, first(block)?.key ?? "", names)}.startsWith("~");`),
      );
    lines.add("return false;");
  });
  lines.add("", "/** The speed of the block for this packet's movement alone. */");
  lines.block("private static int temporarySpeed(Block block) {", () => {
    each((block) => (block.name === "temporaryMoveSpeed" ? `return ${memberOf(block, "speed", names)};` : undefined));
    lines.add("return -1;");
  });
  lines.add("", "/** What the client remembers of a block (6.5). */");
  lines.block("private static void apply(Block block, int player, Memory memory, byte[][] appearances) {", () => {
    each((block) => {
      const of = (key: string): string => memberOf(block, key, names);
      switch (block.name) {
        case "moveSpeed":
          return `memory.speed[player] = (byte) ${of("speed")};`;
        case "faceEntity":
          return block.node.fields.length > 1
            ? `memory.target[player] = (${of("targetHigh")} << 16 | ${of("target")}) == 0xffffff ? -1 : ${of("targetHigh")} << 16 | ${of("target")};`
            : `memory.target[player] = ${of("target")} == 0xffff ? -1 : ${of("target")};`;
        case "faceAngle":
          return `memory.arriving[player] = (short) ${of("angle")};`;
        case "appearance":
          return `appearances[player] = ${of(first(block)?.key ?? "")};`;
        default:
          return undefined;
      }
    });
    const facing = blocks.find(({ name }) => name === "facing");
    if (facing === undefined) return;
    const of = (key: string): string => memberOf(facing, key, names);
    lines.block(`if (block instanceof Block.${facing.message.name} own) {`, () => {
      lines.block(`switch (${of("flags")} >> 3 & 7) {`, () => {
        lines.block("case 0 -> {", () => {
          lines.add(`int type = ${of("entityType")};`, `int target = ${of("index")};`);
          lines.add(
            "memory.target[player] = target < 0 || type < 1 || type > 2 ? -1 : target + (type == 2 ? 65536 : 0);",
          );
        });
        lines.add(`case 2 -> memory.arriving[player] = ${of("angle")}.shortValue();`);
        lines.add("case 3 -> memory.target[player] = -1;", "default -> {}");
      });
    });
  });
}
