/** Whether an object of a file is a game: its members and their types. The contract suite of `wirewalk/testing` checks what they do. */
import type { PayloadCodec, Protocol } from "wirewalk/protocol";

type Members = Readonly<Record<string, unknown>>;

/** An object that a file exports, which may be meant as a game. */
export type Candidate = Partial<Record<keyof Protocol, unknown>>;

const required: readonly (keyof Protocol)[] = ["name", "title", "summary", "dialects", "codec"];

/** What a game is, for an error. */
export const GAME = `an object with ${required.slice(0, -1).join(", ")} and ${required.at(-1)}`;

/** Whether an object is meant as a game: it says what nothing else says, and something else of a game. */
export function looksLikeProtocol(value: unknown): value is Candidate {
  if (!isObject(value) || !("dialects" in value || "codec" in value)) return false;
  return required.filter((member) => member in value).length > 1;
}

/** What is wrong with a game, as a sentence; undefined where it has the members of one. */
export function protocolFault(candidate: Candidate): string | undefined {
  const { name } = candidate;
  if (typeof name !== "string") return `name must be a text, got ${kindOf(name)}`;
  if (!/^[a-z\d-]+$/.test(name)) return `the name must be lower-case letters, digits and hyphens, got '${name}'`;
  const fault =
    firstFault(candidate, memberChecks) ??
    dialectsFault(candidate.dialects as readonly unknown[]) ??
    firstFault(candidate.bots, botChecks, "bots.") ??
    streamsFault(candidate.streams) ??
    codecFault(candidate as Protocol);
  return fault === undefined ? undefined : `${name}: ${fault}`;
}

/** What a member must be, in words, and whether it is. */
type Check = readonly [words: string, holds: (value: unknown) => boolean, isOptional?: true];

const text: Check = ["a text", (value) => typeof value === "string"];
const list: Check = ["a list", Array.isArray];
const call: Check = ["a function", (value) => typeof value === "function"];
const object: Check = ["an object", isObject];
const optional = ([words, holds]: Check): Check => [words, holds, true];

const memberChecks: Readonly<Record<Exclude<keyof Protocol, "name">, Check>> = {
  title: text,
  summary: text,
  dialects: list,
  codec: call,
  defaultPort: [
    "a whole number from 1 to 65535",
    (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536,
    true,
  ],
  openChannel: optional(call),
  createWorld: optional(call),
  bots: optional(object),
  streams: optional(object),
  capabilities: optional(object),
};

const dialectChecks: Readonly<Record<string, Check>> = {
  name: ["a text that is not empty", (value) => typeof value === "string" && value !== ""],
  source: ["client or document", (value) => value === "client" || value === "document"],
  summary: text,
};

const botChecks: Readonly<Record<string, Check>> = { cheats: list, create: call, rooms: optional(list) };

const streamChecks: Readonly<Record<string, Check>> = {
  summary: text,
  senders: ["a list of client and server", (value) => Array.isArray(value) && value.length > 0 && value.every(isSide)],
  options: list,
  openReader: call,
  openWriter: call,
  openChannel: optional(call),
};

const codecChecks: Readonly<Record<keyof PayloadCodec, Check>> = {
  messages: list,
  id: object,
  layouts: object,
  read: call,
  write: call,
  trace: call,
  fromJson: call,
  toJson: call,
  undescribed: optional(call),
};

/** The first member that is missing or something else. Of an object that is absent nothing is. */
function firstFault(of: unknown, checks: Readonly<Record<string, Check>>, where = ""): string | undefined {
  if (of === undefined) return undefined;
  for (const [member, [words, holds, isOptional = false]] of Object.entries(checks)) {
    const found = (of as Members)[member];
    if (found === undefined ? isOptional : holds(found)) continue;
    return `${where}${member} must be ${words}, got ${kindOf(found)}`;
  }
  return undefined;
}

function dialectsFault(dialects: readonly unknown[]): string | undefined {
  if (dialects.length === 0) return "dialects is empty: a game has one at least";
  const taken = new Set<unknown>();
  for (const [index, dialect] of dialects.entries()) {
    if (!isObject(dialect)) return `dialects[${index}] must be an object, got ${kindOf(dialect)}`;
    const fault = firstFault(dialect, dialectChecks, `dialects[${index}].`);
    if (fault !== undefined) return fault;
    const { name } = dialect;
    if (taken.has(name)) return `dialects has ${String(name)} twice`;
    taken.add(name);
  }
  return undefined;
}

function streamsFault(streams: unknown): string | undefined {
  for (const [part, stream] of Object.entries(streams ?? {})) {
    if (!isObject(stream)) return `streams['${part}'] must be an object, got ${kindOf(stream)}`;
    const fault = firstFault(stream, streamChecks, `streams['${part}'].`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Each dialect must have a codec: it is made here, so that a wrong one is not found in the middle of a command. */
function codecFault(protocol: Protocol): string | undefined {
  for (const { name } of protocol.dialects) {
    let codec: unknown;
    try {
      codec = protocol.codec(name);
    } catch (error) {
      return `codec("${name}") throws: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (!isObject(codec)) return `codec("${name}") must give an object, got ${kindOf(codec)}`;
    const fault = firstFault(codec, codecChecks, `codec("${name}").`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSide(value: unknown): boolean {
  return value === "client" || value === "server";
}

/** What a value is, for an error: short texts and numbers as they are. */
function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return value.length > 40 ? "a text" : `'${value}'`;
  if (typeof value === "function") return "a function";
  return typeof value === "object" ? "an object" : String(value);
}
