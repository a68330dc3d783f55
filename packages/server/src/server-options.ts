/** What a server is started with, and what it gives. */
import type { Logger } from "pino";
import type { Host } from "wirewalk/host";
import type { PlayerId } from "wirewalk/motion";
import type { Clock, Cluster, Store } from "wirewalk/net";
import {
  checkMaps,
  checkResponses,
  checkTickMs,
  defaultDialect,
  type Refusal,
  requireMembers,
  type ServedProtocol,
  type WorldMaps,
} from "wirewalk/protocol";
import type { Accounts, Registration } from "./admission/accounts.ts";
import type { Bans } from "./bans/bans.ts";
import type { Ledger } from "./bans/ledger.ts";
import { checkPolicies, type Policies, responsesOf } from "./bans/policies.ts";
import type { CaptureRequest, RunningCapture } from "./capture/session-captures.ts";
import type { ClusterRole } from "./cluster/cluster-node.ts";
import type { WorldOwner } from "./cluster/world-owner.ts";
import type { Certificate } from "./http/web-listener.ts";
import { MAX_NAME_LENGTH, STUDIO } from "./http/web-upgrade.ts";
import type { OutputTarget } from "./outputs/output-targets.ts";
import type { Budgets } from "./session/budgets.ts";
import type { DisconnectReason } from "./session/disconnect.ts";
import type { VerdictActions } from "./verdicts/verdict-actions.ts";
import type { BanAddress } from "./worlds/hosted-world.ts";
import type { RecordingOptions } from "./worlds/recordings.ts";

/** A world to serve: always over WebSocket, over TCP when there is a port. */
export interface ListenerOptions {
  readonly protocol: ServedProtocol;
  /**
   * No other world of the server has it: small letters, digits and hyphens. Default: the name of the game, with `-2`, `-3` and so on
   * for its next worlds.
   */
  readonly name?: string | undefined;
  /** Default: see `defaultDialect` of `wirewalk/protocol`. */
  readonly dialect?: string;
  /** TCP port; 0 takes any that is free. Without one the world is not served over TCP. */
  readonly port?: number | undefined;
  /**
   * More TCP ports, each for a room: a player that connects there requests that room, as with `?room=` over WebSocket. Games that are
   * played on channels have a port for each.
   */
  readonly roomPorts?: readonly RoomPort[] | undefined;
  /** Milliseconds between two ticks, for protocols with capability `tick`. Default: the game's own. */
  readonly tickMs?: number | undefined;
  /** Threads that make packets together, for protocols with capability `threads`. Default 1: the server's own. */
  readonly threads?: number | undefined;
  /** What a ban of a player without a login does to its address. Default `soft`. */
  readonly banAddress?: BanAddress | undefined;
  /** What follows when verdicts about an account add up, by rule, and `*` for all. Default: nothing beside its score. */
  readonly policies?: Policies | undefined;
  /**
   * The room for which players ask that name none. Default: the world decides; in a game whose worlds are channels, that channel
   * on which the n-th world is played.
   */
  readonly room?: string | undefined;
  /** Random seed of the world. Default: that of the server. */
  readonly seed?: number | undefined;
  /**
   * The places of the world, for protocols with capability `maps`, instead of demo places: a set, or the path of one. Worker threads
   * and nodes of a cluster open a path themselves; all nodes need the same maps. Default: none.
   */
  readonly maps?: WorldMaps | string | undefined;
}

/** A listener with what follows from the other listeners and the options of the server. */
export interface NamedListener extends ListenerOptions {
  readonly name: string;
  readonly dialect: string;
  readonly seed: number;
  /** Its place among the worlds of its game, from 1. */
  readonly number: number;
}

const DEFAULT_SEED = 1;
const WORLD_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The listeners with the defaults of {@link ListenerOptions}. */
export function nameListeners({
  listeners,
  seed = DEFAULT_SEED,
}: Pick<ServerOptions, "listeners" | "seed">): readonly NamedListener[] {
  const taken = new Set(listeners.flatMap(({ name }) => name ?? []));
  const counts = new Map<string, number>();
  return listeners.map((listener) => {
    const { protocol } = listener;
    const number = (counts.get(protocol.name) ?? 0) + 1;
    counts.set(protocol.name, number);
    const room = listener.room ?? (number === 1 ? undefined : protocol.capabilities?.channels?.roomOf(number));
    let { name } = listener;
    for (let next = 1; name === undefined; next += 1) {
      const free = next === 1 ? protocol.name : `${protocol.name}-${next}`;
      if (!taken.has(free)) name = free;
    }
    taken.add(name);
    const { dialect = defaultDialect(protocol) } = listener;
    return { ...listener, name, number, room, dialect, seed: listener.seed ?? seed };
  });
}

/**
 * Throws `RangeError` for two worlds of one name, an invalid name, an unknown dialect, an invalid policy, an invalid tick, threads
 * of a game that cannot use them, and maps of another game; `MissingMemberError` for a game without channels or worlds.
 */
export function checkListeners(listeners: readonly NamedListener[]): void {
  const names = new Set<string>();
  for (const { name: world, protocol, dialect, tickMs, threads = 1, policies = {}, maps } of listeners) {
    const { name, capabilities } = requireMembers(protocol, ["openChannel", "createWorld"], "be served");
    if (names.has(world)) throw new RangeError(`Cannot serve two worlds with the name ${world}`);
    if (world === STUDIO || world.length > MAX_NAME_LENGTH || !WORLD_NAME.test(world)) {
      throw new RangeError(
        `A world needs a name of at most ${MAX_NAME_LENGTH} small letters, digits and hyphens that is not ${STUDIO}, got ${world}`,
      );
    }
    names.add(world);
    protocol.codec(dialect);
    checkPolicies(world, policies, capabilities?.rules, capabilities?.renamed);
    checkResponses(name, responsesOf(policies) ?? {}, capabilities?.responses ?? {}, capabilities?.renamed);
    const { most } = capabilities?.threads ?? { most: 1 };
    if (!(Number.isInteger(threads) && threads >= 1 && threads <= most)) {
      throw new RangeError(`The threads of ${name} must be an integer in 1..${most}, got ${threads}`);
    }
    if (maps !== undefined) checkMaps(protocol, maps);
    if (tickMs === undefined) continue;
    if (capabilities?.tick === undefined) throw new RangeError(`The tick of ${name} is the game's own`);
    checkTickMs(tickMs);
  }
}

/** Whether players of one of the worlds log in. */
export function hasLogins(listeners: readonly NamedListener[]): boolean {
  return listeners.some(({ protocol, dialect }) => protocol.capabilities?.login?.admission(dialect) !== undefined);
}

export interface ServerOptions {
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Port for HTTP and WebSocket; 0 takes any that is free. Without one there is neither. */
  readonly http?: number | undefined;
  /** Each is a world; a game may have several. */
  readonly listeners: readonly ListenerOptions[];
  /**
   * Addresses and networks (`10.0.0.0/8`) of proxies, which send the client's address: over TCP in a PROXY header (version 1 or 2,
   * required), over HTTP in `X-Forwarded-For`.
   */
  readonly trustedProxies?: readonly string[];
  /** Keeps bans and accounts; the server does not close it. Default: in memory. */
  readonly store?: Store;
  readonly clock?: Clock;
  /** Epoch milliseconds, by which bans end. Default `Date.now`. */
  readonly epochNow?: () => number;
  /** Random seed of the worlds. Default 1. */
  readonly seed?: number;
  /**
   * Whether players are banned that connect from this machine, or play in demo places. Default false: then their sessions
   * end, and they may come back at once.
   */
  readonly banLoopback?: boolean;
  /** `log`: verdicts are reported, and no player is corrected, refused or banned. Default `enforce`. */
  readonly enforcement?: "enforce" | "log";
  /**
   * Whether the first login with a name registers it. Default: `open` with demo places, and on loopback without proxies;
   * otherwise `closed`: then `accounts.create` makes accounts.
   */
  readonly registration?: Registration;
  /** Whether worlds have their protocol's demo places. Default false: no places are known. */
  readonly demo?: boolean;
  readonly budgets?: Partial<Budgets>;
  /**
   * Milliseconds over which messages to one recipient are merged into one write. Default 0: one turn of the event loop,
   * and after a flush that took long a rest of up to 25 ms.
   */
  readonly flushMs?: number;
  /** Default: silent. */
  readonly logger?: Logger;
  /** The built page. Without it `/` says how to build it, and everything else is served. */
  readonly studioFolder?: string | undefined;
  /** Where the documentation is, or will be, built: it is served with the page, under `/docs/`. */
  readonly docsFolder?: string | undefined;
  /** Origins that may open WebSockets, beside this server's own: `https://example.org`. */
  readonly allowedOrigins?: readonly string[];
  /** Names under which HTTP is answered, beside those of loopback and the address itself: `play.example.org`. */
  readonly publicHosts?: readonly string[];
  /**
   * A listener of its own for the page, its feed and the metrics, which then leave `http`; the games are on both. Default
   * host 127.0.0.1; any other needs an `adminToken`. Without one they are on `http` where only this machine can connect and
   * neither a public host nor a proxy is named, or with an `adminToken`; otherwise nowhere.
   */
  readonly admin?: { readonly host?: string; readonly port: number } | undefined;
  /** What the page, its feed and the metrics ask for, wherever they are: at least 16 characters. */
  readonly adminToken?: string | undefined;
  /** Records every world into files of a folder. Worlds are then given pseudonyms instead of accounts. */
  readonly recordings?: RecordingOptions | undefined;
  /**
   * Keeps the last seconds of every world in memory, so that a ban carries them as a recording. Always so with `recordings`. Worlds are
   * then given pseudonyms instead of accounts. Default false.
   */
  readonly evidence?: boolean | undefined;
  /** Where verdicts, penalties and actions of operators are told. Default: nowhere. */
  readonly outputs?: readonly OutputTarget[] | undefined;
  /**
   * Where the seconds around verdicts go that an operator calls false, as recordings in which the rules must not find that player again.
   * Needs `evidence` or `recordings`. Default: nowhere.
   */
  readonly dismissedFolder?: string | undefined;
  /**
   * Called when memory is used up: the server has begun to end, with what is told. The program should end when it has closed.
   * The default does nothing more.
   */
  readonly onMemoryUsedUp?: ((problem: string) => void) | undefined;
  /** Makes this server a node of a cluster: its worlds are those of all nodes, and one of them owns each. Default: its own worlds. */
  readonly cluster?: ClusterMembership | undefined;
  /** Makes `http` HTTPS, and `admin` where others can connect to it. */
  readonly certificate?: Certificate | undefined;
}

/** This server as a node of a cluster. All nodes have the same worlds with the same options. */
export interface ClusterMembership {
  /** The server closes it. */
  readonly cluster: Cluster;
  /** `gateway`: has sessions. `owner`: may own worlds. `spectator`: its page and feed show worlds wherever their owners are. */
  readonly roles: readonly ClusterRole[];
  /** The cluster asks this node to hand over its worlds and end. */
  readonly onDrain: () => void;
}

/** A TCP port whose players request a room. */
export interface RoomPort {
  readonly room: string;
  /** 0 takes any that is free. */
  readonly port: number;
}

/** A running TCP listener. */
export interface RunningListener {
  /** The name of the world. */
  readonly world: string;
  readonly protocol: string;
  /** The room that its players ask for; undefined where the world decides. */
  readonly room?: string;
  readonly dialect: string;
  readonly host: string;
  readonly port: number;
}

/** A running world. */
export interface RunningWorld {
  readonly name: string;
  readonly protocol: string;
  readonly dialect: string;
  readonly host: Host;
}

/** A player of a world. */
export interface WorldPlayer {
  /** The name of the world. */
  readonly world: string;
  readonly player: PlayerId;
}

/** Counts since the start; sessions as of now. */
export interface ServerStats {
  /** Connections, the page's feeds included. */
  readonly sessions: number;
  readonly players: number;
  readonly messagesIn: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly deliveries: number;
  readonly writes: number;
  readonly refusedPayloads: number;
  /** By reason. */
  readonly disconnects: Readonly<Partial<Record<DisconnectReason, number>>>;
}

export interface RunningServer {
  /** Address of HTTP and WebSocket; undefined without an HTTP listener. */
  readonly httpAddress: { readonly host: string; readonly port: number } | undefined;
  /** Where the page, its feed and the metrics are; undefined when they are nowhere. */
  readonly adminAddress: { readonly host: string; readonly port: number } | undefined;
  readonly listeners: readonly RunningListener[];
  readonly worlds: readonly RunningWorld[];
  readonly accounts: Pick<Accounts, "create" | "list" | "remove">;
  readonly bans: Pick<Bans, "list" | "lift" | "evidence" | "recording">;
  /** The last verdicts, and what operators do about them. */
  readonly verdicts: Pick<VerdictActions, "list" | "find" | "act">;
  /** Scores of accounts by rule. */
  readonly ledger: Pick<Ledger, "find" | "list">;
  /** The worlds of the cluster that this node owns, by name; empty without a cluster. */
  readonly owned: ReadonlyMap<string, Pick<WorldOwner, "lease" | "measures" | "nextBatch" | "played">>;
  stats(): ServerStats;
  /**
   * Moves a player to another world of its game, as a change of channel does: it leaves its world and joins the other over the same
   * connection, with its account. The reason when the other world refuses it: then it stays where it is. `room` is the room that it
   * asks for; default: that of the other world. Throws `RangeError` for an unknown player or world, and worlds of different games or
   * dialects.
   */
  move(player: WorldPlayer, to: string, room?: string): Refusal | undefined;
  /**
   * Captures sessions until it is stopped, or the server is closed. Undefined when four captures are running. What it writes
   * holds what players sent, also passwords.
   */
  capture(request: CaptureRequest): RunningCapture | undefined;
  /**
   * Takes another certificate for new connections, and another token, whose cookies begin anew. Throws `Error` or
   * `RangeError` for an invalid one; then nothing has changed. What the server started without cannot be added.
   */
  reload(changes: Pick<ServerOptions, "certificate" | "adminToken">): void;
  /**
   * Accepts no more connections, closes the sessions with reason `shutdown`, gives queued bytes `graceMs` (default 10,000)
   * to leave, then ends. Resolves when everything is closed. A second call ends at once.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}
