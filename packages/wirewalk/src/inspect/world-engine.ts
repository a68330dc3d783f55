/**
 * The world of any game for servers in other languages: joins and payloads in, effects out.
 *
 * ```ts
 * import { worldEngine } from "wirewalk/inspect";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const engine = worldEngine(slimeOnline2).open({ dialect: "documented", options: { demo: true } });
 * engine.take({ now: 0, join: [{ player: 1, account: "ann", name: "Ann" }] }).given.effects; // => [{ effect: "enter", player: 1, room: "1" }]
 * engine.take({ now: 20, receive: [[1, "00 08 02 C0 01 A0 00"]] }).given.effects[0].payload; // => "0008010002c001a000"
 * ```
 *
 * @module
 */
import {
  eachOf,
  type Joining,
  type LineCommands,
  type LineEngineKind,
  type ProtocolWith,
  partsOf,
  requireMembers,
  runCommands,
} from "../protocols/index.ts";
import { formatHex, type JsonObject, type JsonValue, parseHex } from "../wire/index.ts";

/** An engine of the game's world. Throws `MissingMemberError` for a game without one. */
export function worldEngine(game: ProtocolWith<"createWorld">): LineEngineKind {
  const protocol = requireMembers(game, ["createWorld"], "be run as an engine");
  return {
    summary:
      "Players and their payloads in, effects out. Commands: now, leave, join, receive, refresh, tick; payloads are hex, " +
      "without frame and cipher.",
    options: [
      {
        name: "seed",
        kind: "number",
        unit: "number",
        min: 0,
        max: 0xffff_ffff,
        summary: "random seed of the world (default: 1)",
      },
      { name: "demo", kind: "switch", default: false, summary: "the game's demo places instead of its own" },
      {
        name: "logOnly",
        kind: "switch",
        default: false,
        summary: "report cheats without correcting or banning players",
      },
    ],
    open({ dialect, options, maps }) {
      const { seed, demo, logOnly } = options;
      const codec = protocol.codec(dialect);
      const world = protocol.createWorld({
        dialect,
        seed: typeof seed === "number" ? seed : 1,
        demo: demo === true,
        enforcement: logOnly === true ? "log" : "enforce",
        ...(maps === undefined ? {} : { maps }),
      });
      let nowMs = 0;
      const commands: LineCommands = {
        now(argument) {
          if (!(typeof argument === "number" && Number.isFinite(argument) && argument >= nowMs)) {
            throw new RangeError(`it must be milliseconds, ${nowMs} or more`);
          }
          nowMs = argument;
        },
        leave: eachOf((entry) => world.leave(playerOf(entry), nowMs)),
        join: eachOf((entry) => {
          const { player, ...joining } = joiningOf(entry);
          const refusal = world.refuses(joining);
          if (refusal !== undefined) throw new RangeError(`the world refuses it: ${refusal}`);
          world.join(player, joining, nowMs);
        }),
        receive: eachOf((entry) => {
          const [player, hex] = partsOf(entry, "player, hex");
          if (typeof hex !== "string") throw new TypeError("the payload must be hex");
          const payload = parseHex(hex);
          world.receive(playerOf(player as JsonValue), codec.read("client", payload), payload, nowMs);
        }),
        refresh: eachOf((entry) => world.refresh(playerOf(entry), nowMs)),
        tick(argument) {
          if (argument !== true) throw new TypeError("it must be true");
          world.tick(nowMs);
        },
      };
      return {
        take(line) {
          const errors = runCommands(commands, line);
          const effects = world.takeEffects().map((effect): JsonObject => {
            if (!("message" in effect)) return plain(effect) as JsonObject;
            const { message, ...rest } = effect;
            const payload = formatHex(codec.write("server", message), { separator: "" });
            return { ...(plain(rest) as JsonObject), payload };
          });
          return { given: { effects }, errors };
        },
      };
    },
  };
}

function playerOf(entry: JsonValue): number {
  if (typeof entry !== "number") throw new TypeError("the player must be a number");
  return entry;
}

function joiningOf(entry: JsonValue): Joining & { readonly player: number } {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    throw new TypeError("it must be an object with player, account, name and perhaps room");
  }
  const { player, account, name, room, ...others } = entry as JsonObject;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new TypeError(`no such field: ${other}`);
  if (typeof account !== "string" || typeof name !== "string") throw new TypeError("account and name must be texts");
  if (room !== undefined && typeof room !== "string") throw new TypeError("the room must be a text");
  return { player: playerOf(player as JsonValue), account, name, ...(room === undefined ? {} : { room }) };
}

/** Effects hold plain data; in JSON bytes are hex and integers of 64 bits decimal digits. */
function plain(value: unknown): JsonValue {
  if (value instanceof Uint8Array) return formatHex(value, { separator: "" });
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value as JsonValue;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([key, each]) => [key, plain(each)]));
}
