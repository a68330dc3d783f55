/** What a server is started with, in the form of its config file: `wirewalk serve --print-config`. */
import { resolve } from "node:path";
import type { JsonObject, JsonValue } from "wirewalk/wire";
import type { Listener } from "../commands/serve-listeners.ts";
import { policyTexts } from "../commands/serve-policies.ts";
import { PATHS, serveSchema } from "./serve-schema.ts";

/** Members that are not values of flags, and those of flags that the list of worlds says. */
const OWN: ReadonlySet<string> = new Set(["$schema", "worlds", "banAddress", "policy", "maps", "all"]);
/** Flags that are sizes in bytes. */
const SIZES: ReadonlySet<string> = new Set(["captureRotate", "recordRotate", "recordKeep"]);

/**
 * The config file with which the server would start alike. It holds no secret: of the token and the certificate it has the
 * files, and no password of a database or a broker.
 */
export function printConfig(flags: Readonly<Record<string, unknown>>, listeners: readonly Listener[]): string {
  const config: Record<string, JsonValue> = {};
  for (const name of Object.keys(serveSchema.properties)) {
    const value = flags[name];
    if (OWN.has(name) || value === undefined) continue;
    if (name === "store" || name === "nats") config[name] = withoutPassword(String(value));
    else if (name === "tell") config[name] = (value as readonly string[]).map(withoutUrl);
    else if (SIZES.has(name)) config[name] = String(value);
    else config[name] = PATHS.has(name) ? resolve(String(value)) : (value as JsonValue);
  }
  return `${JSON.stringify({ ...config, worlds: listeners.map(worldConfig) }, undefined, 2)}\n`;
}

/** Whoever knows the address of a webhook can write to it. */
function withoutUrl(output: string): string {
  return output.replace(/^(webhook|discord)=(?!@)[^,]*/, "$1=redacted");
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password !== "") url.password = "redacted";
  return url.href;
}

function worldConfig({ name, protocol, dialect, ...listener }: Listener): JsonObject {
  const { values = {}, configure } = protocol.capabilities?.settings ?? {};
  const own = configure?.({}).capabilities?.settings?.values ?? {};
  // Limits of rules are many: those that are the game's own are left out.
  const settings = Object.entries(values).filter(
    ([setting, info]) => info.kind !== "rule" || info.default !== own[setting]?.default,
  );
  const { roomPorts, policies, maps, ...others } = listener;
  return {
    name,
    game: protocol.name,
    dialect,
    ...others,
    ...(maps === undefined ? {} : { maps: resolve(maps) }),
    ...(policies === undefined ? {} : { policies: policyTexts(policies) }),
    ...(roomPorts === undefined ? {} : { roomPorts: roomPorts.map(({ room, port }) => ({ room, port })) }),
    ...(settings.length === 0
      ? {}
      : { settings: Object.fromEntries(settings.map(([setting, info]) => [setting, info.default])) }),
  };
}
