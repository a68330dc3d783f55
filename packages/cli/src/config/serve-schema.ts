/**
 * What the config file of `wirewalk serve` may hold. `wirewalk.schema.json` is this description for editors, written by
 * `UPDATE_SCHEMA=1` of its test.
 */
import type { BanAddress, RoomPort } from "@wirewalk/server";
import { MAX_TICK_MS } from "wirewalk/protocol";
import type { BooleanSchema, IntegerSchema, ObjectSchema, Schema, StringSchema } from "./schema.ts";

const MAX_SEED = 0xffff_ffff;
const MAX_PORT = 65_535;
const MAX_NAME_LENGTH = 64;
/** The game's own limit is checked with the game. */
const MAX_THREADS = 64;

const port = (description: string): IntegerSchema => ({ type: "integer", minimum: 0, maximum: MAX_PORT, description });
const text = (description: string, ...examples: string[]): StringSchema => ({
  type: "string",
  minLength: 1,
  description,
  ...(examples.length === 0 ? {} : { examples }),
});
const texts = (description: string, ...examples: string[]): Schema => ({
  type: "array",
  items: text("", ...examples),
  description,
});
const yes = (description: string): BooleanSchema => ({ type: "boolean", default: false, description });
const whole = (minimum: number, maximum: number, description: string): IntegerSchema => ({
  type: "integer",
  minimum,
  maximum,
  description,
});
const size = (description: string): StringSchema => ({
  type: "string",
  pattern: "^\\d+(\\.\\d+)?\\s*[kMG]?B?$",
  description,
  examples: ["100MB"],
});
const choice = (description: string, ...choices: string[]): StringSchema => ({
  type: "string",
  enum: choices,
  description,
});
const file = (description: string, example: string): StringSchema =>
  text(`${description}. A relative path begins at the folder of this file.`, example);

const banAddress = choice(
  "What a ban of a player without a login does to its address: only its session ends (off), a new player from there waits and may send half as much (soft), or no player joins from there (on).",
  "off",
  "soft",
  "on",
);
const tickMs = whole(
  1,
  MAX_TICK_MS,
  "Milliseconds between two ticks, of games that leave the choice. Default: the game's own.",
);
const threads = whole(1, MAX_THREADS, "Threads that write packets together, of games that can use them. Default 1.");

/** One world. */
export const worldSchema: ObjectSchema = {
  type: "object",
  description: "A world of a game.",
  required: ["game"],
  additionalProperties: false,
  properties: {
    game: text("The name of the game, as wirewalk protocols lists it.", "maplestory", "osrs"),
    name: {
      type: "string",
      pattern: "^[a-z\\d]+(-[a-z\\d]+)*$",
      maxLength: MAX_NAME_LENGTH,
      description: "The name of the world. Default: the name of the game, with -2, -3 and so on for its next worlds.",
      examples: ["scania"],
    },
    dialect: text("The dialect of the world. Default: that of the game.", "v83"),
    port: port("TCP port, 0 for any. Without one the world is served over WebSocket alone."),
    roomPorts: {
      type: "array",
      description: "More TCP ports, whose players ask for a room.",
      items: {
        type: "object",
        required: ["room", "port"],
        additionalProperties: false,
        properties: { room: text("The room.", "channel-2"), port: port("TCP port, 0 for any.") },
      },
    },
    room: text("The room for which players ask that name none. Default: the world decides.", "channel-2"),
    tickMs,
    threads,
    banAddress,
    seed: whole(0, MAX_SEED, "Random seed of the world. Default: that of the server."),
    maps: file("The places of the world: a folder, a file or an archive, as wirewalk maps reads them", "wz"),
    policies: {
      type: "object",
      description:
        "What follows when verdicts about an account add up, by rule, and * for all: kick,limit=20. For this world alone; --policy says more.",
      properties: {},
      additionalProperties: text("", "kick,limit=20"),
    },
    settings: {
      type: "object",
      description: "Settings of the game, as --set takes them and wirewalk protocols lists them.",
      properties: {},
      additionalProperties: { type: ["number", "string", "boolean"] },
    },
  },
};

/** The file. Members have the names of flags, which say more in `wirewalk serve --help`. */
export const serveSchema: ObjectSchema = {
  title: "wirewalk serve --config FILE",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: { type: "string", description: "Where this schema is, for editors." },
    host: text("Address to listen on. Default 127.0.0.1.", "0.0.0.0"),
    http: port("Port of the page and of WebSockets, 0 for any. Default 7400."),
    worlds: {
      type: "array",
      items: worldSchema,
      description: "The worlds. Default: one for each game, on the game's port.",
    },
    all: yes("With worlds named here or by flags: the other games too, over WebSocket."),
    workers: whole(1, 64, "Threads that the worlds are spread over. Default: one thread for all."),
    bots: whole(0, 1000, "Bots of each world in this server. Default 0."),
    seed: whole(0, MAX_SEED, "Random seed of worlds and bots. Default 1."),
    threads,
    maps: texts(
      "The places of worlds, as --maps takes them. A relative path begins at the folder of this file.",
      "maplestory=wz",
    ),
    data: file("Folder of bans and accounts. Default: in memory", "data"),
    tell: texts("Where verdicts, penalties and actions are told.", "file=verdicts.jsonl"),
    dismissed: file(
      "Folder for recordings of verdicts that an operator calls false. Default: dismissed in data",
      "dismissed",
    ),
    store: text("Database of bans and accounts instead of a folder.", "postgres://user@host:5432/database"),
    nats: text("Be a node of a cluster with this broker.", "nats://user@host:4222"),
    node: text("Name of this node in its cluster.", "a"),
    role: {
      type: "array",
      items: choice("", "gateway", "owner", "spectator"),
      description: "What the node does. Default: all of it.",
    },
    leaseMs: whole(500, 60_000, "Milliseconds after which a node that does not answer loses its worlds."),
    register: choice("Whether the first login with a name registers it.", "open", "closed"),
    logOnly: yes("Report cheats without correcting or banning players."),
    banLoopback: yes("Also ban players of this machine and of the demo."),
    banAddress,
    policy: texts("What follows when verdicts about an account add up.", "slime-online-2.teleport=kick,limit=20"),
    publicHost: texts("Also answer HTTP under these names.", "play.example.org"),
    allowOrigin: texts("Also accept pages of these origins.", "https://example.org"),
    trustProxy: texts("Take clients' addresses from these proxies.", "10.0.0.0/8"),
    admin: text("Address of its own for the page, its feed and the metrics.", "127.0.0.1:7401"),
    adminTokenFile: file("File with a token that the page, its feed and the metrics ask for", "token"),
    tlsCert: file("Certificate with its chain, as PEM", "fullchain.pem"),
    tlsKey: file("Key of the certificate, as PEM", "privkey.pem"),
    flushMs: whole(0, 1000, "Milliseconds over which messages are merged. Default 0."),
    sessionsPerAddress: whole(1, 1_000_000, "Connections of one address at most."),
    logLevel: choice(
      "How much is logged to the standard error. Default info.",
      "silent",
      "error",
      "warn",
      "info",
      "debug",
    ),
    logFormat: choice(
      "How the log is written: words for people, or a line of JSON for each record. Default auto: words on a terminal, else JSON.",
      "auto",
      "text",
      "json",
    ),
    capture: file("Write what all sessions send and receive, also passwords, to this pcapng file", "server.pcapng"),
    captureRotate: size("Begin a new file at this size."),
    captureKeep: whole(1, 100_000, "Files of the capture that are kept."),
    record: file("Record every world into files of this folder", "recordings"),
    recordCarried: yes("Also record what clients sent as it came."),
    recordRequired: yes("A world that is not recorded, as with a full disk, takes no new players."),
    recordRotate: size("Begin a new recording at this size."),
    recordMinutes: whole(1, 1440, "Begin a new recording after so long."),
    recordKeep: size("Remove the oldest recordings over this size together."),
    recordDays: whole(1, 3650, "Remove recordings that are older."),
  },
};

/** Members that are paths. */
export const PATHS: ReadonlySet<string> = new Set(["data", "adminTokenFile", "tlsCert", "tlsKey", "capture", "record"]);

/** A world of the file, once it is checked. */
export interface WorldConfig {
  readonly game: string;
  readonly name?: string;
  readonly dialect?: string;
  readonly port?: number;
  readonly roomPorts?: readonly RoomPort[];
  readonly room?: string;
  readonly tickMs?: number;
  readonly threads?: number;
  readonly banAddress?: BanAddress;
  /** By rule, as `--policy` has them. */
  readonly policies?: Readonly<Record<string, string>>;
  readonly seed?: number;
  readonly settings?: Readonly<Record<string, number | string | boolean>>;
  /** A path. */
  readonly maps?: string;
}
