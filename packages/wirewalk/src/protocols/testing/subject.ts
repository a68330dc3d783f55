/** What rules are checked on: one dialect of one protocol, and the scripts that were recorded of it. */
import { createRandom, type PlayerId } from "../../motion/index.ts";
import type { Channel, PayloadCodec, Side, WireMessage } from "../codec.ts";
import { hasMembers } from "../members.ts";
import type { PlayMember, ProtocolWith } from "../protocol.ts";
import type { Joining, World, WorldOptions } from "../world.ts";
import { generatedPayloads } from "./generated-payloads.ts";
import { readOrRefuse } from "./payloads.ts";
import { recordScript } from "./record-script.ts";
import type { PlayOptions, Script } from "./script.ts";

/** What the suite has to know of a protocol, where the contract leaves it to the game. */
export interface SuiteOptions extends PlayOptions {
  /**
   * Members of the saved state, at any depth, that a refused message may change since a rule counts it; everything else
   * must stay as it was. Default: none.
   */
  readonly countedOnRefusal?: readonly string[];
  /** Members of the saved state that may keep something of a corrected message too, such as its measurements. Default: none. */
  readonly keptOfCorrected?: readonly string[];
  /**
   * What a world believes of a message whose place it corrects, such as its key, where others may see that at the corrected place.
   * Undefined: nothing. Default: nothing of any message.
   */
  readonly believedOfCorrected?: (message: WireMessage) => string | undefined;
  /** Who was sent a correction within this time is sent no other one, milliseconds. Default 0. */
  readonly correctionsApartMs?: number;
  /** Where a message to others says that a player stands whose own message was refused. Default: others are sent nothing. */
  readonly stoodAt?: (message: WireMessage) => { readonly x: number; readonly y: number } | undefined;
  /** Rules that correct in a way of their own, such as back to another room. Default: none. */
  readonly ownCorrections?: readonly string[];
  /** The position that a message to a player states as its correction, in the units of tracks; undefined for others. */
  readonly correctedTo?: (
    message: WireMessage,
    player: PlayerId,
  ) => { readonly x: number; readonly y: number } | undefined;
  /** Worlds with more players at most are not filled to see whether they stop there: it takes too long. Default 2100. */
  readonly fillUpTo?: number;
  /** Makes worlds with another value of one of the game's own options, by the option's name in a saved world. */
  readonly otherWorlds?: Readonly<Record<string, (options: WorldOptions) => World>>;
  /** How often a world is saved and goes on as another one, while a script is played. Default 100. */
  readonly restores?: number;
  /** Damaged saved worlds that are restored in one check. Default 60. */
  readonly damages?: number;
}

/** Damage and order come from the seed: a few plays have enough payloads to choose from. */
const PAYLOAD_SCRIPTS = 4;

/** Of a protocol without a world: payloads made up from descriptions. */
const GENERATED = 200;

/** A protocol in one dialect, with the members that rules need. */
export class Subject<M extends PlayMember = never> {
  readonly protocol: ProtocolWith<M>;
  readonly dialect: string;
  readonly options: SuiteOptions;
  readonly codec: PayloadCodec;
  #recorded = new Map<string, Script>();
  readonly #payloads = new Map<string, readonly Uint8Array[]>();

  constructor(protocol: ProtocolWith<M>, dialect: string, options: SuiteOptions = {}) {
    this.protocol = protocol;
    this.dialect = dialect;
    this.options = options;
    this.codec = protocol.codec(dialect);
  }

  /** Whether the protocol has these members. */
  has<N extends PlayMember>(members: readonly N[]): this is Subject<N> {
    return hasMembers(this.protocol, members);
  }

  /** A script; the last ones are remembered, since many rules play the same. */
  script(this: WorldSubject, seed: number, enforcement: "enforce" | "log" = "enforce"): Script {
    const key = `${seed} ${enforcement}`;
    const known = this.#recorded.get(key);
    if (known !== undefined) return known;
    const script = recordScript(this.protocol, this.dialect, enforcement, seed, this.options);
    if (this.#recorded.size > 1) this.#recorded = new Map();
    this.#recorded.set(key, script);
    return script;
  }

  /** Payloads of one side, out of one of a few scripts; without a world to play in, made up from descriptions. */
  payloads(seed: number, side: Side): readonly Uint8Array[] {
    const chosen = seed % PAYLOAD_SCRIPTS;
    const key = `${chosen} ${side}`;
    const payloads = this.#payloads.get(key) ?? this.#payloadsOf(chosen, side);
    this.#payloads.set(key, payloads);
    return payloads;
  }

  #payloadsOf(seed: number, side: Side): readonly Uint8Array[] {
    if (!this.has(["createWorld"])) {
      const payloads = generatedPayloads(this.codec, side, createRandom(seed), GENERATED);
      return payloads.filter((payload) => readOrRefuse(this.codec, side, payload) !== undefined);
    }
    const script = this.script(seed);
    if (side === "client") {
      return script.calls.flatMap((call) => (call.call === "receive" ? [call.payload] : []));
    }
    return script.effects.flat().flatMap((effect) => {
      const isSaid = effect.effect === "send" || effect.effect === "broadcast";
      return isSaid ? [this.codec.write("server", effect.message)] : [];
    });
  }

  world(this: WorldSubject, seed = 1): World {
    return this.protocol.createWorld({ dialect: this.dialect, seed, demo: true });
  }

  channel(this: ChannelSubject, side: Side, carrier: "stream" | "message"): Channel {
    const { dialect } = this;
    return side === "server"
      ? this.protocol.openChannel({ side, dialect, carrier })
      : this.protocol.openChannel({ side, dialect, carrier });
  }
}

/** What rules of worlds are checked on. */
export type WorldSubject = Subject<"createWorld">;
/** What rules of channels are checked on. */
export type ChannelSubject = Subject<"openChannel">;

/** Somebody who joins, each with an account of its own. */
export function joiningOf(number: number, room?: string): Joining {
  const joining = { account: `account ${number}`, name: `player ${number}` };
  return room === undefined ? joining : { ...joining, room };
}
