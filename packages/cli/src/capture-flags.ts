/** Flags of commands that read captures. */
import type { PortMapping, StreamOptions } from "wirewalk/capture";
import type { Protocol, StreamOption } from "wirewalk/protocol";
import { chooseDialect, chooseProtocol, streamsOf } from "./commands/streams.ts";
import { type CommandContext, UsageError } from "./context.ts";
import { suggest } from "./nearest.ts";

/** `5555=slime-online-2:v0106`. Throws {@link UsageError}. */
export function parseMappings(context: CommandContext, texts: readonly string[]): readonly PortMapping[] {
  return texts.map((text) => {
    const [, digits, name = "", dialect] = /^(\d+)=([^:]+)(?::(.+))?$/.exec(text) ?? [];
    const port = Number(digits);
    if (digits === undefined || port < 1 || port > 0xffff) {
      throw new UsageError(`--map ${text}: it must be PORT=PROTOCOL or PORT=PROTOCOL:DIALECT`);
    }
    const protocol = chooseProtocol(context, name);
    return { port, protocol, dialect: dialect === undefined ? undefined : chooseDialect(protocol, dialect) };
  });
}

/** `osrs/player-info.revision=240`. Throws {@link UsageError}. */
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
    values[key] = optionValue(option, value, text);
    options[name] = values;
  }
  return options;
}

function optionValue(option: StreamOption, value: string, text: string): string | number | boolean {
  if (option.kind === "switch") {
    if (value !== "true" && value !== "false") throw new UsageError(`--option ${text}: it must be true or false`);
    return value === "true";
  }
  return option.kind === "number" ? Number(value) : value;
}
