/**
 * Codecs in other languages, printed from the descriptions: for each dialect a file that reads and writes its messages, and a test with
 * vectors. `compile/languages.ts` lists the languages; each is a format.
 *
 * @module
 */
import type { Language, LanguageSource, TestVector } from "../../compile/language.ts";
import { languages } from "../../compile/languages.ts";
import { typedDialect } from "../../compile/typed/program.ts";
import { createRandom } from "../../motion/index.ts";
import { generate } from "../../wire/describe/generate.ts";
import type { DialectNode } from "../../wire/index.ts";
import { encode, WireError } from "../../wire/index.ts";
import { ExportError, type ExportedFile, type ExportFormat, type ExportScope } from "../format.ts";
import { framesIn, frameTypes } from "../framing/framing.ts";
import { trackerFor } from "../mouse/tracker.ts";
import { PASSES_STREAM, passesLanguages, playerInfoFiles } from "../player-info/player-info.ts";
import { dialectNodes } from "../typescript/typescript.ts";

/** The version of this package, which a test compares with its manifest. */
export const WIREWALK_VERSION = "0.1.0";

/** Vectors are the same each time. */
const SEED = 1;
/** Payloads of each message, and as many that are cut. */
const VECTORS_EACH = 3;

/** The codec of one dialect, and its test. Throws {@link ExportError} for a description that the language does not have. */
function filesOf(language: Language, scope: ExportScope, node: DialectNode): readonly ExportedFile[] {
  try {
    const source = languageSource(language, scope, node);
    return [language.codec(source), language.test(source, vectorsOf(scope, node))];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refusalOf(language, node, error);
  }
}

/** What a language prints of the messages of a scope in a dialect. */
export function languageSource(language: Language, scope: ExportScope, node: DialectNode): LanguageSource {
  const framing = scope.protocol.capabilities?.framing?.(node.dialect);
  const reserved = framing === undefined ? language.reserved : [...language.reserved, ...frameTypes];
  const dialect = typedDialect(node, reserved);
  const more = [
    framing === undefined ? undefined : framesIn(language.name, framing),
    trackerFor(language.name, scope, dialect),
  ].filter((text) => text !== undefined);
  const { name } = scope.protocol;
  return {
    game: scope.revision === undefined ? name : `${name}-${scope.revision}`,
    dialect,
    header: headerOf(language, scope, node.dialect),
    ...(more.length === 0 ? {} : { more: more.join(language.name === "python" ? "\n\n\n" : "\n\n") }),
  };
}

/** The error of the first message that cannot be compiled: the compiler names its field, and knows neither dialect nor message. */
function refusalOf(language: Language, node: DialectNode, error: TypeError): ExportError {
  for (const message of node.messages) {
    try {
      const dialect = typedDialect({ ...node, messages: [message] }, language.reserved);
      language.codec({ game: "one", dialect, header: [] });
    } catch (cause) {
      if (cause instanceof TypeError)
        return new ExportError(`${node.dialect} ${message.message}: ${cause.message}`, { cause });
      throw cause;
    }
  }
  return new ExportError(`${node.dialect}: ${error.message}`, { cause: error });
}

function headerOf({ name, title }: Language, scope: ExportScope, dialect: string): string[] {
  const { protocol, sender, message, stream, revision } = scope;
  const more = [
    sender && `--direction ${sender}`,
    message && `--message ${message}`,
    revision && `--revision ${revision}`,
  ].filter(Boolean);
  const flags = ["--dialect", dialect, ...more].join(" ");
  const what = stream === undefined ? "Messages" : `${stream} of revision ${revision}`;
  const subject = stream === undefined ? protocol.name : `${protocol.name}/${stream}`;
  return [
    `${what} of ${protocol.title.replaceAll("*/", "* /")}, dialect ${dialect}, in ${title}. Made by Wirewalk ${WIREWALK_VERSION}; do not edit.`,
    `Make it again: npx wirewalk export ${name} ${subject} ${flags} --out DIR`,
    ...absentIn(name, scope, dialect),
    "",
    "MIT License. Use it in any client or server.",
  ];
}

/** What the messages of a game lack in a language, in words. */
function absentIn(name: string, { protocol, stream, revision }: ExportScope, dialect: string): readonly string[] {
  if (stream !== undefined) return [];
  if (protocol.capabilities?.framing?.(dialect) === undefined)
    return ["Frames are absent: a payload comes here without its length, deciphered."];
  if (protocol.name !== "osrs") return [];
  const those = Object.keys(passesLanguages);
  const passes = those.includes(name)
    ? `Player info is bytes here: npx wirewalk export ${name} osrs/${PASSES_STREAM} reads and writes it.`
    : `Player info is bytes here: its decoder and encoder are absent in this language (${those.join(" and ")} have them).`;
  if (revision === undefined) return [passes];
  return [
    passes,
    "Other forms of a message are absent, since the opcode alone says here what a payload is, and a name stands for one message:",
    "rebuildNormal with the initialisation of player info in front, which its length alone tells, and an older opcode of the same name.",
  ];
}

/** Payloads of each message as the dialect's codec reads them, whole ones and cut ones. */
export function vectorsOf({ protocol }: ExportScope, { dialect, messages }: DialectNode): readonly TestVector[] {
  const codec = protocol.codec(dialect);
  const random = createRandom(SEED);
  return (["client", "server"] as const).flatMap((sender) => {
    const own = messages.filter((each) => each.sender === sender);
    const payloads = own.flatMap(({ id, node }) =>
      Array.from({ length: VECTORS_EACH }, () =>
        Uint8Array.of(...encode(codec.id.layout, id), ...generate(node, (low, high) => random.integer(low, high))),
      ),
    );
    const cut = payloads.map((payload) => payload.subarray(0, random.integer(0, Math.max(0, payload.length - 1))));
    return [...payloads, ...cut].map((payload): TestVector => {
      try {
        return { sender, payload, outcome: { written: codec.write(sender, codec.read(sender, payload)) } };
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        const { code, path, bitOffset } = error;
        return { sender, payload, outcome: { code, path, bitOffset } };
      }
    });
  });
}

/** Every language as a format. */
export const languageFormats: readonly ExportFormat[] = Object.values(languages).map((language) => ({
  name: language.name,
  summary: `a codec in ${language.title}, and a test of it`,
  holdsAllDialects: false,
  ...(Object.hasOwn(passesLanguages, language.name) ? { describesStreams: true as const } : {}),
  files: (scope) => {
    if (scope.stream !== undefined)
      return playerInfoFiles(language, scope, (dialect) => headerOf(language, scope, dialect));
    return dialectNodes(scope).flatMap((node) => (node.messages.length === 0 ? [] : filesOf(language, scope, node)));
  },
}));
