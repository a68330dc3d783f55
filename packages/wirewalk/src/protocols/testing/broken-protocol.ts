/** How a test makes the fake protocol break one rule of the contract: with a codec, a channel or a world that differs in one thing. */
import type { PlayerId } from "../../motion/index.ts";
import type { Channel, ChannelOptions, SavedChannel } from "../codec.ts";
import type { PlayableProtocol } from "../protocol.ts";
import type { Effect, SavedWorld, WorldOptions } from "../world.ts";
import type { FakeClientMessage, FakeServerMessage } from "./fake-codec.ts";
import { fakeProtocol } from "./fake-protocol.ts";
import { FakeWorld } from "./fake-world.ts";

export type Fake = Required<PlayableProtocol<FakeClientMessage, FakeServerMessage>>;
export type Effects = readonly Effect<FakeServerMessage>[];

/** A protocol that breaks a rule. */
export interface Broken {
  readonly what: string;
  readonly protocol: Fake;
  /** The error of the rule. */
  readonly says: RegExp;
}

/** By the name of the rule that they break. */
export type BrokenProtocols = Readonly<Record<string, readonly Broken[]>>;

/** The fake with another world. */
export function withWorld(createWorld: (options: WorldOptions) => FakeWorld): Fake {
  return { ...fakeProtocol, createWorld };
}

type Members = { -readonly [Name in keyof FakeWorld]?: FakeWorld[Name] };

/** The fake with a world that has other members; `base` has them as they were. */
export function withMembers(change: (base: FakeWorld) => Members): Fake {
  return withWorld((options) => {
    const world = new FakeWorld(options);
    const base = new Proxy(world, {
      get(_, name) {
        const member: unknown = Reflect.get(FakeWorld.prototype, name, world);
        return typeof member === "function" ? member.bind(world) : member;
      },
    });
    return Object.assign(world, change(base));
  });
}

/** The fake with a world whose effects are changed on their way out. */
export function withEffects(change: (effects: Effects) => Effects): Fake {
  return withMembers((base) => ({ takeEffects: () => change(base.takeEffects()) }));
}

/** The fake with effects of which each is changed, or replaced by several. */
export function withEachEffect(change: (effect: Effects[number]) => Effects[number] | Effects): Fake {
  return withEffects((effects) => effects.flatMap(change));
}

/** The fake with effects that are changed by the place that the last message claimed. */
export function withClaims(change: (effect: Effects[number], x: number) => Effects[number] | Effects): Fake {
  return withMembers((base) => {
    let x = 0;
    return {
      receive(id, message, payload, nowMs) {
        if (message.message === "step") x = message.value.x;
        base.receive(id, message, payload, nowMs);
      },
      takeEffects: () => base.takeEffects().flatMap((effect) => change(effect, x)),
    };
  });
}

/** The fake with a world that does something after each message. */
export function afterMessages(
  act: (world: FakeWorld, id: PlayerId, message: FakeClientMessage, payload: Uint8Array) => void,
): Fake {
  return withMembers((base) => ({
    receive(id, message, payload, nowMs) {
      base.receive(id, message, payload, nowMs);
      act(base, id, message, payload);
    },
  }));
}

/** The fake with a world whose saved state is changed. */
export function withSaved(change: (state: Record<string, unknown>) => object): Fake {
  return withMembers((base) => ({
    save() {
      const saved = base.save();
      return { ...saved, state: change({ ...saved.state }) } as SavedWorld;
    },
  }));
}

/** The fake with players whose saved form is changed. */
export function withSavedPlayers(change: (player: Record<string, unknown>) => void): Fake {
  return withSaved((state) => {
    for (const player of state.players as Record<string, unknown>[]) change(player);
    return state;
  });
}

/** The fake with channels that have other members. */
export function withChannel(change: (channel: Channel, options: ChannelOptions) => Partial<Channel>): Fake {
  const openChannel = (channelOptions: ChannelOptions): Channel => {
    const channel = fakeProtocol.openChannel(channelOptions as ChannelOptions & { side: "server" }) as Channel;
    const wrapped = {
      ...(channel.handshake === undefined ? {} : { handshake: channel.handshake }),
      sharesFrames: channel.sharesFrames,
      get pendingBytes() {
        return channel.pendingBytes;
      },
      push: (bytes: Uint8Array) => channel.push(bytes),
      next: () => channel.next(),
      write: (message: never) => channel.write(message),
      frame: (payload: Uint8Array) => channel.frame(payload),
      save: () => channel.save(),
      restore: (saved: SavedChannel) => channel.restore(saved),
    };
    return Object.defineProperties(
      wrapped,
      Object.getOwnPropertyDescriptors(change(channel, channelOptions)),
    ) as Channel;
  };
  return { ...fakeProtocol, openChannel: openChannel as Fake["openChannel"] };
}

/** The fake with channels that save another state. */
export function withSavedChannel(change: (state: object) => object): Fake {
  return withChannel((channel) => ({
    save() {
      const saved = channel.save();
      return { ...saved, state: change(saved.state) } as SavedChannel;
    },
  }));
}

/** The fake with a codec that has other members. */
export function withCodec(change: (codec: ReturnType<Fake["codec"]>) => Partial<ReturnType<Fake["codec"]>>): Fake {
  return {
    ...fakeProtocol,
    codec: (dialect) => ({ ...fakeProtocol.codec(dialect), ...change(fakeProtocol.codec(dialect)) }),
  };
}
