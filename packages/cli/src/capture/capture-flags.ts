/** Flags of commands that read captures. */
import { existsSync, readFileSync } from "node:fs";
import type { PortMapping, StreamOptions } from "wirewalk/capture";
import { openTap, type Protocol, requireMembers, type StreamOption, type StreamOptionValues } from "wirewalk/protocol";
import { formatHex, parseHex, WireError } from "wirewalk/wire";
import { type CommandContext, UsageError } from "../context.ts";
import { suggest } from "../input/nearest.ts";
import { chooseDialect, chooseProtocol, type NamedStream, streamsOf } from "../input/streams.ts";

/** `5555=slime-online-2:v0106`. Throws {@link UsageError}. */
export function parseMappings(context: CommandContext, texts: readonly string[]): readonly PortMapping[] {
  return texts.map((text) => {
    const [, digits, name = "", dialect] = /^(\d+)=([^:]+)(?::(.+))?$/.exec(text) ?? [];
    const port = Number(digits);
    if (digits === undefined || port < 1 || port > 0xffff) {
      throw new UsageError(`--map ${text}: it must be PORT=PROTOCOL or PORT=PROTOCOL:DIALECT`);
    }
    const protocol = requireMembers(chooseProtocol(context, name), ["openChannel"], "be read in a capture");
    return { port, protocol, dialect: dialect === undefined ? undefined : chooseDialect(protocol, dialect) };
  });
}

/** `osrs/mouse.strict=true`. Throws {@link UsageError}. */
export function parseStreamOptions(context: CommandContext, texts: readonly string[]): StreamOptions {
  const streams = Object.values(context.protocols).flatMap((protocol: Protocol) => streamsOf(protocol));
  const options: Record<string, Record<string, string | number | boolean>> = {};
  for (const text of texts) {
    const [, name = "", key = "", value = ""] = /^([^.=]+)\.([^=]+)=(.*)$/.exec(text) ?? [];
    const found = streams.find((each) => each.name === name);
    if (found === undefined) {
      throw new UsageError(
        `--option ${text}: it must be STREAM.NAME=VALUE${suggest(
          name,
          streams.map((each) => each.name),
        )}`,
      );
    }
    const option = found.stream.options.find((each) => each.name === key);
    if (option === undefined) {
      const known = found.stream.options.map((each) => each.name);
      throw new UsageError(`--option ${text}: ${name} has no option ${key}${suggest(key, known)}`);
    }
    const values = options[name] ?? {};
    values[key] = optionValue(option, value, `--option ${text}`);
    options[name] = values;
  }
  for (const { name, protocol, stream } of streams) checkStream({ name, protocol, stream }, options[name]);
  return options;
}

/**
 * Frames and messages of a capture are those of the configured game: its packet streams cannot have another revision. Throws
 * {@link UsageError}.
 */
export function checkRevisions(context: CommandContext, options: StreamOptions): void {
  for (const { name, capabilities } of Object.values(context.protocols)) {
    const own = capabilities?.tap?.streamOptions?.revision;
    if (own === undefined) continue;
    for (const [stream, { revision }] of Object.entries(options)) {
      if (!stream.startsWith(`${name}/`) || !/^\d+$/.test(String(revision)) || String(revision) === String(own))
        continue;
      throw new UsageError(
        `--option ${stream}.revision=${String(revision)}: the revision is a setting of the game: --set ${name}.revision=${String(revision)}`,
      );
    }
  }
}

/** Options that a stream refuses are refused before a capture is read. */
function checkStream({ name, protocol, stream }: NamedStream, options: StreamOptionValues | undefined): void {
  if (options === undefined) return;
  for (const { name: dialect } of protocol.dialects) {
    const setup = { dialect, sender: stream.senders[0], framed: true, options };
    refusedAs(`--option ${name}`, () => stream.openReader(setup));
  }
}

/** `osrs.isaac=00112233…`: what the bytes of a connection do not say. Throws {@link UsageError}. */
export function parseTapOptions(
  context: CommandContext,
  texts: readonly string[],
): Readonly<Record<string, StreamOptionValues>> {
  const options: Record<string, Record<string, string | number | boolean>> = {};
  for (const text of texts) {
    const [, name = "", key = "", value = ""] = /^([^.=]+)\.([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === "") throw new UsageError(`--tap ${text}: it must be PROTOCOL.NAME=VALUE`);
    const { capabilities } = chooseProtocol(context, name);
    const known = capabilities?.tap?.options ?? [];
    const option = known.find((each) => each.name === key);
    if (option === undefined) {
      const names = known.map((each) => each.name);
      const hint = names.length === 0 ? "" : suggest(key, names);
      throw new UsageError(`--tap ${text}: connections of ${name} have no option ${key}${hint}`);
    }
    const values = options[name] ?? {};
    values[key] = optionValue(option, value, `--tap ${text}`);
    options[name] = values;
  }
  for (const [name, values] of Object.entries(options)) checkTap(chooseProtocol(context, name), values);
  return options;
}

/** Options that the game refuses are refused before a capture is read. */
function checkTap(protocol: Protocol, options: StreamOptionValues): void {
  for (const { name: dialect } of protocol.dialects) {
    refusedAs(`--tap ${protocol.name}`, () => openTap(protocol, { dialect, options }));
  }
}

/** The state before the first packet of streams that take one: `--initial` and `--local`. Throws {@link UsageError}. */
export function withInitial(
  context: CommandContext,
  options: StreamOptions,
  { initial, local }: { readonly initial?: string; readonly local?: number },
): StreamOptions {
  if (initial === undefined && local === undefined) return options;
  if (initial === undefined || local === undefined) throw new UsageError("--initial and --local need each other");
  const given = initialHex(initial);
  const result: Record<string, StreamOptionValues> = { ...options };
  for (const protocol of Object.values(context.protocols)) {
    for (const { name, stream } of streamsOf(protocol)) {
      const packet = stream.options.find(({ kind, startOnly }) => startOnly === true && kind === "hex");
      const index = stream.options.find(({ kind, startOnly }) => startOnly === true && kind === "number");
      if (packet === undefined || index === undefined) continue;
      const bytes = packet.kind === "hex" ? packet.bytes : undefined;
      if (bytes !== undefined && given.length !== bytes * 2) {
        throw new UsageError(`--initial: ${bytes} bytes needed, ${given.length / 2} given`);
      }
      if (index.kind === "number" && (local < index.min || local > index.max)) {
        throw new UsageError(`--local ${local}: it must be ${index.min} to ${index.max}`);
      }
      result[name] = { ...result[name], [packet.name]: given, [index.name]: local };
    }
  }
  return result;
}

/** Hex, or a file of hex or of the bytes themselves. */
function initialHex(text: string): string {
  if (!existsSync(text)) return hexDigits(text, "--initial: it is no file and");
  const bytes = readFileSync(text);
  const isText = bytes.every(
    (byte) => byte < 0x80 && (byte >= 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09),
  );
  return isText ? hexDigits(bytes.toString("latin1"), `--initial ${text}:`) : bytes.toString("hex");
}

function hexDigits(text: string, where: string): string {
  return refusedAs(where, () => formatHex(parseHex(text), { separator: "" }));
}

function refusedAs<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof WireError || error instanceof RangeError) throw new UsageError(`${where} ${error.message}`);
    throw error;
  }
}

/** `flag` is the flag with its value, for the error. */
function optionValue(option: StreamOption, value: string, flag: string): string | number | boolean {
  if (option.kind === "switch") {
    if (value !== "true" && value !== "false") throw new UsageError(`${flag}: it must be true or false`);
    return value === "true";
  }
  if (option.kind !== "number") return value;
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) throw new UsageError(`${flag}: it must be a number`);
  return number;
}
