/** Player info in Rust: the blocks of a revision around the passes. */
import type { Lines } from "../../compile/lines.ts";
import { rustFile, rustNames } from "../../compile/rust/module.ts";
import { errors } from "../../compile/rust/runtime.ts";
import { addDoc, type RustNames, rustTypeNames, textLiteral } from "../../compile/rust/types.ts";
import { pascalCase, snakeCase } from "../../compile/typed/naming.ts";
import type { RecordType } from "../../compile/typed/types.ts";
import { blocksOf, keepings, type PassesBlock, type PassesLanguage, type PlayerInfoSource, stopOf } from "./passes.ts";
import { rustDecoder } from "./rust-decoder.ts";
import { rustDriver } from "./rust-driver.ts";
import { rustEncoder } from "./rust-encoder.ts";
import { rustTest } from "./rust-test.ts";

/** Player info in Rust 2021. */
export const rustPasses: PassesLanguage = {
  reserved: [
    ...rustTypeNames,
    ...(
      "Bits Block Box BTreeMap CallError Crash Decision Decoder Encoder Keeping Masks MaskStore Memory Move MoveType Observer Output OwnBlocks " +
      "PassReader Player Read Refusal Set Span Standing Update Views Waiting"
    ).split(" "),
  ],
  codec: (source) => ({ name: `${moduleOf(source)}.rs`, text: fileOf(source) }),
  test: (source, vectors) => ({
    name: `${moduleOf(source)}_test.rs`,
    text: rustTest(moduleOf(source), source.header, vectors),
  }),
  driver: (source) => ({ name: `${moduleOf(source)}_proof.rs`, text: rustDriver(moduleOf(source), source) }),
};

/** `osrs_player_info_206_client`. */
const moduleOf = ({ revision, passes }: PlayerInfoSource): string =>
  snakeCase(`osrs-player-info-${revision.name}-${passes.name}`);

/** The lifetime of blocks: they hold bytes of the packet, if any of them has bytes. */
export const lifetimeOf = (source: PlayerInfoSource, names: RustNames): string =>
  source.dialect.messages.some(({ type }) => names.lifetimeOf(type) !== "") ? "<'a>" : "";

function fileOf(source: PlayerInfoSource): string {
  const { revision, passes } = source;
  const lifetime = lifetimeOf(source, rustNames(source.dialect));
  return rustFile(source, {
    about: `Player info of revision ${revision.name}, dialect ${passes.name}: a client's [\`Decoder\`], a server's [\`Encoder\`]. For \`no_std\` with \`alloc\`, too.
//! Numbers in comments are sections of the standard, docs/protocols/osrs-player-info.md of Wirewalk.`,
    errors: errors([["BadState", "bad-state", "No initialisation came before."]]),
    print: (names, lines) => {
      const blocks = blocksOf(source);
      printTables(source, blocks, lines);
      printBlocks(blocks, lifetime, names, lines);
      lines.list.push("", ...rustDecoder(lifetime).split("\n"), "", ...rustEncoder.split("\n"));
    },
  });
}

const bytesText = (bytes: Uint8Array): string => `&[${Array.from(bytes).join(", ")}]`;

function printTables(source: PlayerInfoSource, blocks: readonly PassesBlock[], lines: Lines): void {
  const { revision, passes } = source;
  const [second = 0, third = 0] = revision.extensions;
  const stop = stopOf(source);
  const list = (type: string, name: string, values: readonly string[]): void =>
    lines.add(`const ${name}: [${type}; ${values.length}] = [${values.join(", ")}];`);
  const option = (value: string | undefined): string => (value === undefined ? "None" : `Some(${value})`);
  lines.add("", "// How the passes of this dialect go (1.5).");
  lines.add(`const ALIGNS_PASSES: bool = ${passes.alignsPasses};`);
  list("u8", "PASS_FLAGS", passes.passFlags.map(String));
  lines.add(`const FLAGS_ADDED: bool = ${passes.flagsAdded};`);
  lines.add("", "/// How long a client keeps a block's value (8.4).", "#[derive(Clone, Copy, PartialEq)]");
  lines.block("enum Keeping {", () => lines.add(...keepings.map((keeping) => `${pascalCase(keeping ?? "tick")},`)));
  lines.add("", "// The mask blocks of the revision, in the order in which its client reads them (6).");
  lines.add(`const SECOND_BYTE: u32 = ${second};`, `const THIRD_BYTE: u32 = ${third};`);
  list(
    "u32",
    "BLOCK_FLAGS",
    blocks.map(({ flag }) => `0x${flag.toString(16)}`),
  );
  list(
    "&str",
    "BLOCK_NAMES",
    blocks.map(({ name }) => textLiteral(name)),
  );
  list(
    "Keeping",
    "BLOCK_KEPT",
    blocks.map(({ kept }) => `Keeping::${pascalCase(kept ?? "tick")}`),
  );
  list(
    "usize",
    "KEPT_BY_INDEX",
    blocks.flatMap(({ kept, ordinal }) => (kept === "index" ? [String(ordinal)] : [])),
  );
  lines.add("", "// Blocks that are dropped instead of waiting, that may differ by observer, and that need another.");
  list(
    "bool",
    "BLOCK_DROPS",
    blocks.map(({ late }) => String(late === "drop")),
  );
  list(
    "bool",
    "BLOCK_PER_OBSERVER",
    blocks.map(({ perObserver }) => String(perObserver === true)),
  );
  list(
    "Option<usize>",
    "BLOCK_NEEDS",
    blocks.map(({ needed }) => option(needed < 0 ? undefined : String(needed))),
  );
  lines.add("", "// For a new player of a used slot; and the block that keeps clients from walking one who teleports.");
  list(
    "Option<&[u8]>",
    "BLOCK_INITIAL",
    blocks.map(({ initialBytes: bytes }) => option(bytes === undefined ? undefined : bytesText(bytes))),
  );
  lines.add(`const STOP_BLOCK: Option<usize> = ${option(stop.ordinal < 0 ? undefined : String(stop.ordinal))};`);
  lines.add(`const STOP_BYTES: &[u8] = ${bytesText(stop.bytes)};`);
}

function printBlocks(blocks: readonly PassesBlock[], lifetime: string, names: RustNames, lines: Lines): void {
  const type = (block: PassesBlock): RecordType => block.message.type as RecordType;
  const own = (block: PassesBlock, key: string): string => `own.${names.memberOf(type(block), key)}`;
  const match = (arm: (block: PassesBlock) => string | undefined, otherwise: string): void => {
    const arms = blocks.flatMap((block) => arm(block) ?? []);
    if (arms.length === 0) {
      lines.add(`let _ = block;`, otherwise);
      return;
    }
    lines.block("match block {", () =>
      lines.add(...arms, ...(arms.length < blocks.length ? [`_ => ${otherwise},`] : [])),
    );
  };
  lines.add("", "/// A mask block.", "#[derive(Clone, Debug, PartialEq)]");
  lines.block(`pub enum Block${lifetime} {`, () => {
    for (const { message } of blocks) {
      addDoc(lines, message.summary);
      lines.add(`${message.name}(${names.typeOf(message.type)}),`);
    }
  });
  const each = (line: (block: PassesBlock) => string): void => {
    if (blocks.length === 0) lines.add("match *self {}");
    else lines.block("match self {", () => lines.add(...blocks.map(line)));
  };
  lines.add("");
  lines.block(`impl${lifetime} Block${lifetime} {`, () => {
    lines.add("/// Its place in the order in which the client reads blocks, from 0 on.");
    lines.block("pub fn ordinal(&self) -> usize {", () =>
      each(({ message, ordinal }) => `Self::${message.name}(_) => ${ordinal},`),
    );
    lines.add("", "/// The name in the protocol's documents.");
    lines.block("pub fn document_name(&self) -> &'static str {", () =>
      each(({ message, name }) => `Self::${message.name}(_) => ${textLiteral(name)},`),
    );
    lines.add("", "/// Reads a block, without its flag, that fills the bytes.");
    const bytes = lifetime === "" ? "&[u8]" : "&'a [u8]";
    lines.block(`pub fn read(ordinal: usize, bytes: ${bytes}) -> Result<Self, WireError> {`, () => {
      lines.add("let (block, end) = read_block(ordinal, bytes, 0)?;");
      lines.block("if end != bytes.len() {", () =>
        lines.add('return Err(WireError::new(Code::Trailing, "", end * 8));'),
      );
      lines.add("Ok(block)");
    });
    lines.add("", "/// How many bytes it takes, without its flag.");
    lines.block("pub fn size(&self) -> Result<usize, WriteError> {", () =>
      each(
        ({ message }) => `Self::${message.name}(value) => size_of_${names.functionOf(message.functionName)}(value),`,
      ),
    );
    lines.add("", "/// Writes it at the start of a buffer, without its flag, and gives how many bytes it takes.");
    lines.block("pub fn write(&self, b: &mut [u8]) -> Result<usize, WriteError> {", () => {
      lines.block("if b.len() < self.size()? {", () => lines.add("return Err(WriteError::NoRoom);"));
      each(
        ({ message }) =>
          `Self::${message.name}(value) => write_${names.functionOf(message.functionName)}(b, 0, value),`,
      );
    });
  });
  const bytes = lifetime === "" ? "&[u8]" : "&'a [u8]";
  lines.add("", "/// A block and the place after it.");
  lines.block(
    `fn read_block${lifetime}(ordinal: usize, b: ${bytes}, at: usize) -> Result<(Block${lifetime}, usize), WireError> {`,
    () => {
      lines.block("match ordinal {", () => {
        for (const { ordinal, message } of blocks)
          lines.block(`${ordinal} => {`, () => {
            lines.add(`let (value, at) = read_${names.functionOf(message.functionName)}(b, at)?;`);
            lines.add(`Ok((Block::${message.name}(value), at))`);
          });
        lines.add('_ => Err(WireError::new(Code::UnknownVariant, "", at * 8)),');
      });
    },
  );
  lines.add("", "/// The first field that the client cannot use (8.8).");
  lines.block("fn unmet_need(block: &Block) -> Option<&'static str> {", () =>
    match((block) => {
      const { name, clientNeeds = [], message } = block;
      const tests = clientNeeds.map(({ field, allowed, minLength }) => {
        const text = own(block, field);
        const isText = type(block).members.find(({ key }) => key === field)?.type.is === "text";
        const either = [
          ...(minLength === undefined
            ? []
            : [`${isText ? `${text}.encode_utf16().count()` : `${text}.len()`} < ${minLength}`]),
          ...(allowed === undefined
            ? []
            : [
                `!matches!(${text}, ${allowed.map((one) => (typeof one === "number" ? one : `${one[0]}..=${one[1]}`)).join(" | ")})`,
              ]),
        ];
        return `if ${either.join(" || ")} { return Some(${textLiteral(`${name}.${field}`)}); }`;
      });
      return tests.length === 0 ? undefined : `Block::${message.name}(own) => { ${tests.join(" ")} None }`;
    }, "None"),
  );
  const first = (block: PassesBlock) => type(block).members[0];
  lines.add("", "/// Whether the client looks for the name in the appearance because of the text.");
  lines.block("fn asks_for_name(block: &Block) -> bool {", () =>
    match((block) => {
      const text = first(block);
      return block.needed < 0 || text?.type.is !== "text"
        ? undefined
        : `Block::${block.message.name}(own) => ${own(block, text.key)}.starts_with('~'),`;
    }, "false"),
  );
  lines.add("", "/// The speed of the block for this packet's movement alone.");
  lines.block("fn temporary_speed(block: &Block) -> Option<i32> {", () =>
    match(
      (block) =>
        block.name === "temporaryMoveSpeed"
          ? `Block::${block.message.name}(own) => Some(i32::from(${own(block, "speed")})),`
          : undefined,
      "None",
    ),
  );
  lines.add("", "/// What the client remembers of a block (6.5).");
  lines.block("fn apply(block: &Block, index: usize, memory: &mut Memory, appearances: &mut [Option<Vec<u8>>]) {", () =>
    match((block) => {
      const text = remembered(block, (key) => own(block, key), first(block)?.key ?? "");
      return text === undefined ? undefined : `Block::${block.message.name}(own) => ${text}`;
    }, "{}"),
  );
}

function remembered({ name, node }: PassesBlock, own: (key: string) => string, first: string): string | undefined {
  switch (name) {
    case "moveSpeed":
      return `memory.speed[index] = ${own("speed")},`;
    case "faceEntity":
      return node.fields.length > 1
        ? `memory.target[index] = match i32::from(${own("targetHigh")}) << 16 | i32::from(${own("target")}) { 0xff_ffff => -1, target => target },`
        : `memory.target[index] = match ${own("target")} { 0xffff => -1, target => i32::from(target) },`;
    case "faceAngle":
      return `memory.arriving[index] = ${own("angle")} as i16,`;
    case "appearance":
      return `appearances[index] = Some(${own(first)}.to_vec()),`;
    case "facing":
      return `match (${own("flags")} >> 3 & 7, ${own("entityType")}, ${own("index")}, ${own("angle")}) {
            (0, Some(kind), Some(target), _) => {
                let is_known = target >= 0 && (1..=2).contains(&kind);
                memory.target[index] = if is_known { target + if kind == 2 { 65536 } else { 0 } } else { -1 };
            }
            (2, _, _, Some(angle)) => memory.arriving[index] = angle as i16,
            (3, ..) => memory.target[index] = -1,
            _ => {}
        },`;
    default:
      return undefined;
  }
}
