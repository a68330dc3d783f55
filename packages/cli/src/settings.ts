import type { Protocol } from "wirewalk/protocol";
import { UsageError } from "./context.ts";
import { suggest } from "./nearest.ts";

/** Numbers that `--set` gave, by protocol and setting. */
export type Settings = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** Reads `--set osrs.mouseOpcode=34`, given any number of times. Throws {@link UsageError} for an unknown setting. */
export function parseSettings(protocols: Readonly<Record<string, Protocol>>, pairs: readonly string[] = []): Settings {
  const settings = new Map<string, Record<string, number>>();
  const known = Object.values(protocols).flatMap((protocol) =>
    Object.keys(protocol.capabilities.settings?.values ?? {}).map((setting) => `${protocol.name}.${setting}`),
  );
  for (const pair of pairs) {
    const [name = "", text] = pair.split("=", 2);
    if (!known.includes(name)) throw new UsageError(`unknown setting '${name}'${suggest(name, known)}`);
    if (text === undefined || !/^\d{1,10}$/.test(text)) throw new UsageError(`--set ${pair} needs a number: ${name}=…`);
    const [protocol = "", setting = ""] = name.split(".", 2);
    settings.set(protocol, { ...settings.get(protocol), [setting]: Number(text) });
  }
  return settings;
}

/** A protocol with its settings. Throws {@link UsageError} for an invalid value. */
export function withSettings(protocol: Protocol, settings: Settings): Protocol {
  const own = settings.get(protocol.name);
  const { settings: capability } = protocol.capabilities;
  if (own === undefined || capability === undefined) return protocol;
  try {
    return capability.configure(own);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}
