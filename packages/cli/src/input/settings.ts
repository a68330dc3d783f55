/**
 * Settings of games, from the command line and from files: `--set slime-online-2.maxSpeed=3`, `--rules FILE.json`, and the
 * `settings` of one world in a file of worlds. Errors name the nearest names, the unit and the bounds.
 */
import { readFileSync } from "node:fs";
import { type Protocol, replacedBy, type SettingInfo } from "wirewalk/protocol";
import { UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { nearestNames } from "./nearest.ts";

/** Numbers by protocol and setting. */
export type Settings = ReadonlyMap<string, Readonly<Record<string, number>>>;

export interface SettingFlags {
  readonly set?: readonly string[];
  readonly rules?: string;
}

/** What both flags say. Throws {@link UsageError} for an unknown setting, an invalid value and a file that cannot be read. */
export function chooseSettings(protocols: Readonly<Record<string, Protocol>>, { set, rules }: SettingFlags): Settings {
  return parseSettings(protocols, set, readRules(protocols, rules));
}

/** The games with the settings of both flags. Throws like {@link chooseSettings} and {@link withSettings}. */
export function withChosen(
  protocols: Readonly<Record<string, Protocol>>,
  flags: SettingFlags,
): Readonly<Record<string, Protocol>> {
  const settings = chooseSettings(protocols, flags);
  return Object.fromEntries(
    Object.entries(protocols).map(([name, protocol]) => [name, withSettings(protocol, settings)]),
  );
}

/** The settings of the file that `--rules` names. Throws {@link UsageError}. */
export function readRules(protocols: Readonly<Record<string, Protocol>>, file: string | undefined): Settings {
  if (file === undefined) return new Map();
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--rules ${file}: ${fileReason(error)}`);
  }
  return settingsOfFile(protocols, file, text);
}

/** Reads `--set osrs.mouseOpcode=34`, given any number of times; it wins over `before`. Throws {@link UsageError}. */
export function parseSettings(
  protocols: Readonly<Record<string, Protocol>>,
  pairs: readonly string[] = [],
  before: Settings = new Map(),
): Settings {
  const settings = new Map(before);
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const name = at < 0 ? pair : pair.slice(0, at);
    const { protocol, setting } = findSetting(protocols, name);
    if (at < 0) throw new UsageError(`--set ${pair} needs a number: ${name}=…`);
    const value = settingValue(protocol, setting, pair.slice(at + 1), `--set ${pair}`);
    settings.set(protocol.name, { ...settings.get(protocol.name), [setting]: value });
  }
  return settings;
}

/** Reads the text of a file of settings: `{"slime-online-2.maxSpeed": 3}`. Throws {@link UsageError}. */
export function settingsOfFile(protocols: Readonly<Record<string, Protocol>>, file: string, text: string): Settings {
  const settings = new Map<string, Record<string, number>>();
  for (const [name, value] of Object.entries(objectIn(file, text))) {
    const { protocol, setting } = findSetting(protocols, name, `${file}: `);
    const checked = settingValue(protocol, setting, value, `${file}: ${name}`);
    settings.set(protocol.name, { ...settings.get(protocol.name), [setting]: checked });
  }
  return settings;
}

/** The settings of one game as a file has them, names without the game: `{"maxSpeed": 3}`. Throws {@link UsageError}. */
export function settingsOf(protocol: Protocol, given: object): Readonly<Record<string, number>> {
  const settings: Record<string, number> = {};
  for (const [setting, value] of Object.entries(given)) {
    const name = `${protocol.name}.${setting}`;
    findSetting({ [protocol.name]: protocol }, name);
    settings[setting] = settingValue(protocol, setting, value, name);
  }
  withSettings(protocol, new Map([[protocol.name, settings]]));
  return settings;
}

/** A protocol with its settings. Throws {@link UsageError} for values that do not fit each other. */
export function withSettings(protocol: Protocol, settings: Settings): Protocol {
  const own = settings.get(protocol.name);
  const capability = protocol.capabilities?.settings;
  if (own === undefined || Object.keys(own).length === 0 || capability === undefined) return protocol;
  try {
    return capability.configure(own);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

function infosOf({ capabilities }: Protocol): Readonly<Record<string, SettingInfo>> {
  return capabilities?.settings?.values ?? {};
}

function findSetting(
  protocols: Readonly<Record<string, Protocol>>,
  name: string,
  where = "",
): { readonly protocol: Protocol; readonly setting: string } {
  const all = Object.values(protocols);
  const dot = name.indexOf(".");
  const [game, setting] = dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot + 1)];
  const protocol = all.find((each) => each.name === game);
  if (protocol === undefined) {
    const known = all.flatMap((each) => Object.keys(infosOf(each)).map((own) => `${each.name}.${own}`));
    throw new UsageError(`${where}unknown setting '${name}'${near(name, known, undefined)}`);
  }
  if (Object.hasOwn(infosOf(protocol), setting)) return { protocol, setting };
  const known = Object.keys(infosOf(protocol));
  const now = replacedBy(protocol.capabilities?.renamed, "settings", setting);
  const hint = now ?? near(setting, known, protocol, `${protocol.name}.`);
  throw new UsageError(`${where}unknown setting '${name}'${hint}`);
}

/** The end of a sentence about an unknown name. */
function near(word: string, known: readonly string[], protocol: Protocol | undefined, prefix = ""): string {
  if (known.length === 0) return "; it has no settings";
  const found = nearestNames(word, known).map((name) => `${prefix}${name}`);
  if (found.length === 0) return `; \`wirewalk rules${protocol === undefined ? "" : ` ${protocol.name}`}\` lists them`;
  return `; did you mean ${found.join(" or ")}?`;
}

/** A number, or a text of a number with the setting's own unit: `3`, `3px/frame`, `3 px/frame`. */
function settingValue(protocol: Protocol, setting: string, given: unknown, where: string): number {
  const info = infosOf(protocol)[setting] as SettingInfo;
  const name = `${protocol.name}.${setting}`;
  const [, digits, unit = ""] = /^\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(.*?)\s*$/i.exec(String(given)) ?? [];
  if ((typeof given !== "number" && typeof given !== "string") || digits === undefined) {
    throw new UsageError(`${where} needs a number: ${name}=…`);
  }
  if (unit !== "" && unit !== info.unit) {
    throw new UsageError(
      `${where}: ${name} ${info.unit === "" ? "has no unit" : `is in ${info.unit}, not in ${unit}`}`,
    );
  }
  const value = Number(digits);
  const { kind, least, most, isWhole } = info;
  // The game itself knows best what an opcode may be.
  if (kind !== "rule") return value;
  if (value >= least && value <= most && !(isWhole && !Number.isInteger(value))) return value;
  const what = isWhole ? "a whole number" : "a number";
  const bounds = `${what} from ${least} to ${most}${info.unit === "" ? "" : ` ${info.unit}`}`;
  throw new UsageError(`${where}: ${name} must be ${bounds}, got ${value}`);
}

function objectIn(file: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new UsageError(`${file} must have an object: {"slime-online-2.maxSpeed": 3}`);
}
