/**
 * Whether a program that was compiled from printed code reads and writes what the library does. The program reads frames and answers
 * each with one; `README.md` has their form.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Protocol } from "wirewalk/protocol";
import type { Language, LanguageSource, SourceFile } from "../../packages/wirewalk/src/compile/language.ts";
import { canonicalJson, canonicalText } from "../../packages/wirewalk/src/compile/typed/canonical.ts";
import { type TypedDialect, typedDialect } from "../../packages/wirewalk/src/compile/typed/program.ts";
import { dialectNodes } from "../../packages/wirewalk/src/export/typescript/typescript.ts";
import { proofPayloads } from "../../packages/wirewalk/src/protocols/testing/prove-dialect.ts";
import { formatHex, WireError } from "../../packages/wirewalk/src/wire/index.ts";
import { batchOf, Frames } from "./frames.ts";
import type { ProofProgram, Toolchain } from "./toolchains.ts";

/** A dialect of a game, in a language. */
export interface LanguageSubject {
  readonly protocol: Protocol;
  readonly source: LanguageSource;
  readonly program: ProofProgram;
}

/** What came out of a dialect's messages in a language. */
export interface LanguageResult {
  messages: number;
  read: number;
  refused: number;
  differences: number;
  /** The words of the first differences. */
  readonly examples: string[];
}

/** Where compiled programs are kept from run to run, by what they are made of. */
const cache = join(tmpdir(), "wirewalk-languages");

/** In the folder of a program that has been compiled. */
const BUILT = ".built";

/** The programs of some dialects, compiled. Those of equal sources are compiled once. */
export async function buildSubjects(
  language: Language,
  toolchain: Toolchain,
  dialects: readonly { readonly protocol: Protocol; readonly dialect: string }[],
): Promise<readonly LanguageSubject[]> {
  const subjects = dialects.map(({ protocol, dialect }) => subjectOf(language, toolchain, protocol, dialect));
  await buildPrograms(
    toolchain,
    subjects.map(({ program }) => program),
  );
  return subjects;
}

/** Compiles those of some programs that have not been compiled yet. */
export async function buildPrograms(toolchain: Toolchain, programs: readonly ProofProgram[]): Promise<void> {
  const missing = programs.filter(({ folder }) => !existsSync(join(folder, BUILT)));
  await toolchain.build(missing);
  for (const { folder } of missing) writeFileSync(join(folder, BUILT), "");
}

function subjectOf(language: Language, toolchain: Toolchain, protocol: Protocol, dialect: string): LanguageSubject {
  const [node] = dialectNodes({ protocol, dialects: [dialect] });
  if (node === undefined) throw new RangeError(`${protocol.name} has no dialect ${dialect}`);
  const source: LanguageSource = {
    game: protocol.name,
    dialect: typedDialect(node, language.reserved),
    header: [`Messages of ${protocol.name}, dialect ${dialect}.`],
  };
  const program = programOf(toolchain, [language.codec(source), language.driver(source)]);
  return { protocol, source, program };
}

/** A program of some files, of which the last one is begun: a folder for each content. */
export function programOf(toolchain: Toolchain, files: readonly SourceFile[]): ProofProgram {
  const hash = createHash("sha256")
    .update(JSON.stringify([toolchain.language, files]))
    .digest("hex")
    .slice(0, 24);
  const folder = join(cache, `${toolchain.language}-${hash}`);
  if (!existsSync(folder)) {
    // Another run may write the same folder: it is whole as soon as it has its name.
    const own = `${folder}.${process.pid}`;
    mkdirSync(own, { recursive: true });
    for (const { name, text } of files) writeFileSync(join(own, name), text);
    try {
      renameSync(own, folder);
    } catch {
      rmSync(own, { recursive: true });
    }
  }
  const name = (files.at(-1)?.name ?? "").replace(/\.[^.]*$/, "");
  return { name, folder, files: files.map((file) => file.name) };
}

/** Messages that are sent at once. */
const BATCH = 512;
const MAX_EXAMPLES = 5;

export interface LanguageOptions {
  readonly seed: number;
  readonly messages: number;
  readonly playMs: number;
  readonly isOver?: () => boolean;
  /** A client's payloads that go before the others. */
  readonly first?: readonly Uint8Array[];
}

/** A program that takes part, and what compiled it. */
export interface Contestant {
  readonly toolchain: Toolchain;
  readonly subject: LanguageSubject;
}

/** Sends payloads to a program, and compares what it says of each with what the library says. */
export async function proveLanguage(
  toolchain: Toolchain,
  subject: LanguageSubject,
  options: LanguageOptions,
): Promise<LanguageResult> {
  const [result] = await proveTogether([{ toolchain, subject }], options);
  if (result === undefined) throw new Error("Cannot happen: a result for each program");
  return result;
}

interface Question {
  readonly sender: "client" | "server";
  readonly payload: Uint8Array;
  readonly expected: Uint8Array;
}

/** The same for programs of one dialect in several languages: each payload is made up, and read here, once. */
export async function proveTogether(
  contestants: readonly Contestant[],
  options: LanguageOptions,
): Promise<readonly LanguageResult[]> {
  const [first] = contestants;
  if (first === undefined) return [];
  const { protocol, source } = first.subject;
  const { dialect } = source.dialect.dialect;
  const programs = contestants.map(({ toolchain, subject }) => ({
    language: toolchain.language,
    frames: new Frames(toolchain.command(subject.program)),
    result: { messages: 0, read: 0, refused: 0, differences: 0, examples: [] } as LanguageResult,
  }));
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const codec = protocol.codec(dialect);
    function* payloadsOf() {
      for (const payload of options.first ?? []) yield { sender: "client" as const, payload };
      yield* proofPayloads(protocol, dialect, options);
    }
    const send = (batch: readonly Question[]): void => {
      const bytes = batchOf(batch.map(({ sender, payload }) => [sender === "client" ? 0 : 1, payload]));
      for (const { frames } of programs) frames.send(bytes);
    };
    const compare = async (batch: readonly Question[]): Promise<void> => {
      for (const { language, frames, result } of programs)
        for (const question of batch) count(result, language, question, await frames.next());
    };
    let batch: Question[] = [];
    // Programs answer one batch while the next one is made.
    let compared = Promise.resolve();
    for (const { sender, payload } of payloadsOf()) {
      batch.push({ sender, payload, expected: answerOf(source.dialect, codec, sender, payload) });
      if (batch.length < BATCH) continue;
      await compared;
      send(batch);
      compared = compare(batch);
      batch = [];
      if (options.isOver?.()) break;
    }
    await compared;
    send(batch);
    await compare(batch);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    for (const { frames } of programs) frames.end();
  }
  return programs.map(({ result }) => result);
}

function count(
  result: LanguageResult,
  language: string,
  { sender, payload, expected }: Question,
  found: Uint8Array,
): void {
  result.messages += 1;
  if (expected[0] === 0) result.read += 1;
  else result.refused += 1;
  if (Buffer.compare(found, expected) === 0) return;
  result.differences += 1;
  if (result.examples.length < MAX_EXAMPLES)
    result.examples.push(
      `a ${sender}'s ${formatHex(payload)}\n  library: ${answerText(expected)}\n  ${language}: ${answerText(found)}`,
    );
}

/** What a program must answer: see `README.md`. */
function answerOf(
  { messages }: TypedDialect,
  codec: ReturnType<Protocol["codec"]>,
  sender: "client" | "server",
  payload: Uint8Array,
): Uint8Array {
  try {
    const message = codec.read(sender, payload);
    const type = messages.find((each) => each.sender === sender && each.message === message.message)?.type;
    if (type === undefined) throw new Error(`Cannot happen: ${message.message} has no type`);
    const json = Buffer.from(
      `{"message":${canonicalText(message.message)},"value":${canonicalJson(type, message.value)}}`,
      "latin1",
    );
    const head = Buffer.alloc(5);
    head.writeUInt32BE(json.length, 1);
    return Buffer.concat([head, json, codec.write(sender, message)]);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { code, path, bitOffset } = error;
    return Buffer.from(`\u0001${code}\n${path}\n${bitOffset}`, "utf8");
  }
}

/** An answer in words. */
function answerText(answer: Uint8Array): string {
  const bytes = Buffer.from(answer);
  if (bytes[0] !== 0)
    return `${bytes[0] === 1 ? "refused" : "failed"} ${bytes.toString("utf8", 1).replaceAll("\n", " | ")}`;
  const length = bytes.readUInt32BE(1);
  return `${bytes.toString("latin1", 5, 5 + length)} written as ${formatHex(bytes.subarray(5 + length))}`;
}
