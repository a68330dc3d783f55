/** Player info: packets for decoders, scripts for engines, states as JSON. */
import type {
  MaskFields,
  MaskRevision,
  PlayerInfoDecoder,
  PlayerInfoEngine,
  PlayerInfoState,
} from "wirewalk/osrs/player-info";
import type { ByteTransform, FieldNode, JsonObject, JsonValue, LayoutNode } from "wirewalk/wire";
import type { Target } from "../target.ts";
import { changeValue } from "./change-value.ts";
import { piecesOf, SCRIPT_BYTES, scriptOf } from "./script.ts";
import { src } from "./sources.ts";

const readersOnly = new RegExp(
  `${src}(?:wire/(?!testing)|protocols/osrs/player-info/wire/(?!engine)).*(?<!\\.test)\\.ts$`,
);
const dialects = ["client", "documented"] as const;
type Wire = typeof import("wirewalk/wire");

/** A revision with everything that one can have: three flag bytes, every kind of field, in orders that no client has. */
function madeUpRevision({ byteRun, i8, integer, u16be, windows1252String }: Wire, hits: FieldNode[]): JsonObject {
  const byte = (transform: ByteTransform, signed = false): LayoutNode => integer({ bits: 8, signed, transform }).node;
  const run = byteRun(
    { count: integer({ bits: 8, transform: "neg" }), limit: 255 },
    { transform: "+128", reversed: true },
  );
  const blocks = [
    { name: "moveSpeed", flag: 0x1, kept: "index", fields: [{ name: "speed", node: byte("sub", true) }] },
    { name: "temporaryMoveSpeed", flag: 0x2, fields: [{ name: "speed", node: i8.node }] },
    { name: "faceEntity", flag: 0x4, kept: "player", fields: [{ name: "target", node: u16be.node }] },
    {
      name: "faceAngle",
      flag: 0x100,
      fields: [{ name: "angle", node: integer({ bits: 16, order: "le", transform: "+128" }).node }],
    },
    { name: "appearance", flag: 0x10000, kept: "index", fields: [{ name: "look", node: run.node }] },
    {
      name: "mixed",
      flag: 0x20000,
      fields: [
        { name: "a", node: integer({ bits: 32, signed: true, transform: "neg" }).node },
        { name: "b", node: integer({ bits: 16, signed: true, order: "le", transform: "sub" }).node },
        { name: "c", node: windows1252String({ limit: 255 }).node },
        ...hits,
      ],
    },
  ];
  return { name: "made up", extensions: [0x40, 0x4000], blocks: blocks as unknown as JsonValue };
}

/** A player's tile from two bytes: near the corner of four map quarters. */
function tileFrom(a: number, b: number): { level: number; x: number; z: number } {
  return { level: a >> 6, x: 8160 + (a & 63), z: 8160 + (b & 63) };
}

type FieldsOf = (name: string, bytes: Uint8Array) => JsonObject | undefined;

const standings = ["first", "never", "ordinary"] as const;

/** What may happen to a player; two bytes decide how. Blocks follow below. */
const actions: readonly ((engine: PlayerInfoEngine, index: number, a: number, b: number) => void)[] = [
  (engine, index, a, b) => {
    const { x, z } = engine.tileOf(index);
    engine.move(index, x + (a % 5) - 2, z + (b % 5) - 2);
  },
  (engine, index, a, b) => engine.teleport(index, { ...tileFrom(a, b), ...((b & 64) === 0 ? {} : { x: a * 64 }) }),
  (engine, index) => {
    if (index !== 1) engine.remove(index);
  },
  (engine, index, a) => engine.hide(index, (a & 1) === 1),
  (engine, index, _, b) => engine.setStanding(1, index, standings[b % 3] as (typeof standings)[number]),
];
/** Players whose place is looked up. */
const PLAYERS_COMPARED = 100;
/** Bytes before those of a block. */
const BLOCK_HEAD_BYTES = 3;

/** What a piece of a script says: what, who, and two bytes or the bytes of a mask block. */
function act(engine: PlayerInfoEngine, piece: Uint8Array, fieldsOf: FieldsOf): void {
  const [what = 0, who = 0, a = 0, b = 0] = piece;
  const index = 1 + (who % 40) * ((who & 128) === 0 ? 1 : 51);
  const action = actions[what % (actions.length + 3)];
  const block = engine.revision.blocks[a % engine.revision.blocks.length];
  if (!engine.has(index)) engine.add(index, tileFrom(a, b));
  else if (action !== undefined) action(engine, index, a, b);
  else if (block !== undefined) {
    const fields = fieldsOf(block.name, piece.subarray(BLOCK_HEAD_BYTES)) as MaskFields | undefined;
    if (fields === undefined) return;
    if (block.perObserver === true && (what & 1) === 1) engine.setBlockFor(1, index, block.name, fields);
    else engine.setBlock(index, block.name, fields);
  }
}

/** Plays a piece of a script. The engine refuses what a client could not read, and then nothing has changed. */
function play(engine: PlayerInfoEngine, piece: Uint8Array, fieldsOf: FieldsOf): void {
  try {
    act(engine, piece, fieldsOf);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
  }
}

/** Loads what all targets of player info need. */
async function tools() {
  const library = await import("wirewalk/osrs/player-info");
  const { createRandom } = await import("wirewalk/motion");
  const wire = await import("wirewalk/wire");
  const { ByteReader, WireError } = wire;
  const { readBlock } = await import(
    "../../../packages/wirewalk/src/protocols/osrs/player-info/wire/masks/mask-codec.ts"
  );
  const { unmetNeed } = await import(
    "../../../packages/wirewalk/src/protocols/osrs/player-info/wire/masks/client-needs.ts"
  );
  const { generate } = await import("../../../packages/wirewalk/src/wire/describe/generate.ts");
  const hits = library.revision206.blocks.find(({ name }) => name === "hits");
  const revisions: readonly MaskRevision[] = [
    library.revision206,
    library.parseMaskRevision(madeUpRevision(wire, [...(hits?.node.fields ?? [])])),
    library.noMasks,
    library.namedRevisions[240] as MaskRevision,
    library.namedRevisions[237] as MaskRevision,
  ];
  /** The fields of a block whose bytes are these; undefined when they are none, or none that an engine sends. */
  const fieldsOf =
    (revision: MaskRevision) =>
    (name: string, bytes: Uint8Array): JsonObject | undefined => {
      const block = revision.blocks.find((each) => each.name === name);
      if (block === undefined) return undefined;
      try {
        const reader = new ByteReader(bytes);
        const fields = readBlock(block, reader);
        reader.expectEnd();
        return unmetNeed(block, fields) === undefined ? (fields as unknown as JsonObject) : undefined;
      } catch (error) {
        if (error instanceof WireError) return undefined;
        throw error;
      }
    };
  const random = createRandom(3);
  /** Scripts in which everything happens. */
  const scripts = (revision: MaskRevision, count: number): Uint8Array[][] =>
    Array.from({ length: count }, () =>
      Array.from({ length: random.integer(3, 14) }, () => {
        const what = random.integer(0, 7);
        const a = random.integer(0, 255);
        const block = revision.blocks[a % revision.blocks.length];
        const body =
          what < 5 || block === undefined ? [] : generate(block.node, (low, high) => random.integer(low, high));
        const head = [what, random.integer(1, 5), a];
        return Uint8Array.from(
          body.length === 0 || body.length > 60 ? [...head, random.integer(0, 255)] : [...head, ...body],
        );
      }),
    );
  return { ...library, WireError, revisions, fieldsOf, scripts };
}

export const playerInfo: Target = {
  name: "osrs/player-info",
  summary:
    "packets after an initialisation: refused and nothing changed, or read as a second client, a trace and a restored decoder do",
  cover: readersOnly,
  maxBytes: 400,
  async open() {
    const library = await tools();
    const { PlayerInfoClient, PlayerInfoDecoder, PlayerInfoEngine, revisions, fieldsOf, scripts, WireError } = library;
    const { Tracer, tilingFault } = await import("wirewalk/wire");
    const { mustAgree, secondClientFor } = await import(
      "../../../packages/wirewalk/src/protocols/osrs/player-info/testing/agreement.ts"
    );
    const setups = revisions.flatMap((revision) =>
      dialects.map((dialect) => {
        const options = { dialect, revision };
        const engine = new PlayerInfoEngine(options);
        engine.add(1, tileFrom(30, 30));
        return { options, init: engine.observe(1), decoder: new PlayerInfoDecoder(options) };
      }),
    );
    /** Packets of engines in which things happen. */
    const makeSeeds = (): Uint8Array[] =>
      setups.flatMap(({ options }, which) => {
        const { revision } = options;
        const controls = [1, 2, 3, 4, 11, 16].map((control) => Uint8Array.of(2, which, control, 2, 0, 0));
        const plays = scripts(revision, 30).map((script) => {
          const engine = new PlayerInfoEngine(options);
          engine.add(1, tileFrom(30, 30));
          engine.observe(1);
          const packets = script.slice(0, 4).map((piece) => {
            play(engine, piece, fieldsOf(revision));
            engine.tick();
            return engine.packet(1).slice();
          });
          return scriptOf([Uint8Array.of(which), ...packets.filter(({ length }) => length < 200)]);
        });
        return [...controls, ...plays];
      });
    const fresh = setups.map(() => true);
    const say = (value: unknown): string =>
      JSON.stringify(value, (_, each: unknown) =>
        ArrayBuffer.isView(each) ? Buffer.from(each.buffer).toString("hex") : each,
      );
    const setupOf = (input: Uint8Array): number => (input[1] ?? 0) % setups.length;
    const placesIn = ({ locals, level, x, z, flags }: PlayerInfoDecoder): unknown => [
      Array.from(locals, (index) => [index, level[index], x[index], z[index]]),
      Array.from(flags),
    ];
    /** Where everybody is after a packet whose masks are left unread; undefined for one that is refused even so. */
    const positionsIn = (packet: Uint8Array, before: PlayerInfoDecoder): unknown => {
      const { dialect, revision } = before;
      const blind = new PlayerInfoDecoder({ dialect: dialect.name, revision });
      blind.restore(before.save());
      const tracer = new Tracer();
      try {
        blind.decode(packet, tracer, library.namedRevisions.positions);
      } catch (error) {
        if (error instanceof WireError) return undefined;
        throw error;
      }
      const fault = tilingFault(tracer.fields, packet.length);
      if (fault !== undefined) throw new Error(`The trace of a packet without its masks: ${fault}`);
      return placesIn(blind);
    };
    /** A decoder that is made from the state of another has the same positions and the same state. */
    const mustComeBack = (decoder: PlayerInfoDecoder): void => {
      if (decoder.localIndex === 0) {
        try {
          decoder.clientState();
        } catch (error) {
          if (error instanceof RangeError) return;
          throw error;
        }
        throw new Error("There is a state before the initialisation");
      }
      const state = decoder.clientState();
      const twin = PlayerInfoDecoder.fromState(JSON.parse(JSON.stringify(state)) as PlayerInfoState);
      if (say(placesIn(twin)) !== say(placesIn(decoder)))
        throw new Error("A decoder made from a state has other positions");
      if (say(twin.clientState()) !== say(state))
        throw new Error(`${say(state.masks)} comes back as ${say(twin.clientState().masks)}`);
    };
    return {
      get seeds() {
        return makeSeeds().filter(({ length }) => length < 300);
      },
      run(input) {
        const which = setupOf(input);
        const { decoder, init } = setups[which] as (typeof setups)[number];
        // A refused packet changes nothing: only after one that was read it begins anew.
        if (fresh[which] === true) decoder.init(init, 1);
        fresh[which] = false;
        let isControl = true;
        for (const packet of piecesOf(input)) {
          if (isControl) {
            isControl = false;
            continue;
          }
          try {
            decoder.decode(packet);
            fresh[which] = true;
          } catch (error) {
            if (!(error instanceof WireError)) throw error;
            return;
          }
        }
      },
      checkEvery: 4_096,
      check(input) {
        const { options, init } = setups[setupOf(input)] as (typeof setups)[number];
        const [control = new Uint8Array(), ...packets] = piecesOf(input);
        const client = new PlayerInfoClient(options);
        const { decoder } = client;
        const second = secondClientFor(decoder);
        const traced = new PlayerInfoDecoder(options);
        // Some clients are sent no index, or nothing at all, before the first packet.
        const index = (control[1] ?? 0) & 3;
        const others = new PlayerInfoDecoder({ dialect: options.dialect });
        if (((control[1] ?? 0) & 4) !== 0) others.init(init, 5, new Tracer());
        const longInit = Uint8Array.of(...init, 0);
        const badInit = ((control[1] ?? 0) & 8) === 0 ? init.subarray(1) : longInit;
        const receive = (message: Parameters<typeof client.receive>[0]): ReturnType<typeof client.receive> | Error => {
          try {
            return client.receive(message);
          } catch (error) {
            if (error instanceof WireError) return error;
            throw error;
          }
        };
        if (index !== 1) receive({ message: "playerIndex", value: { index: 1 } });
        const bytes = index === 3 ? badInit : init;
        // At the start of a session it stands in front of the map.
        const isFolded = ((control[1] ?? 0) & 16) !== 0;
        const map = { worldArea: 0, zoneX: 0, zoneZ: 0 };
        if (index !== 2 && isFolded) receive({ message: "rebuildNormal", value: { ...map, init: bytes } });
        else if (index !== 2) receive({ message: "playerInfoInit", value: { bytes } });
        // Neither has anything to say of players.
        for (const message of [
          { message: "rebuildNormal", value: map },
          { message: "serverTickEnd", value: {} },
        ] as const)
          if (receive(message) !== undefined) throw new Error(`${message.message} gives an update`);
        mustComeBack(decoder);
        if (index === 0) second?.init(init, 1);
        if (index === 0) traced.init(init, 1, new Tracer());
        for (const packet of packets) {
          const before = say(decoder.save());
          const positions = positionsIn(packet, decoder);
          const update = receive({ message: "playerInfo", value: { bytes: packet } });
          const tracer = new Tracer();
          let trace: unknown;
          try {
            trace = traced.decode(packet, tracer);
          } catch (error) {
            if (!(error instanceof WireError)) throw error;
            trace = error;
          }
          if (update instanceof Error) {
            if (say(decoder.save()) !== before) throw new Error("A refused packet changed the decoder");
            if (JSON.stringify(trace) !== JSON.stringify(update))
              throw new Error(`A trace says ${trace}, a decoder ${update}`);
            return;
          }
          if (update === undefined) throw new Error("A packet gave no update");
          if (say(trace) !== say(update)) throw new Error(`A trace reads ${say(trace)}, a decoder ${say(update)}`);
          const fault = tilingFault(tracer.fields, packet.length);
          if (fault !== undefined) throw new Error(`The trace of a packet: ${fault}`);
          if (second !== undefined) mustAgree(second, decoder, packet, update);
          if (say(positions) !== say(placesIn(decoder)))
            throw new Error("Read without its masks it has other positions");
          mustComeBack(decoder);
          // From here on a restored decoder reads.
          const saved = traced.save();
          traced.restore(structuredClone(saved));
          if (say(traced.save()) !== say(decoder.save())) throw new Error("A restored decoder has another state");
          for (let player = 1; player < PLAYERS_COMPARED; player++) {
            const isLocal = decoder.locals.includes(player);
            if ((decoder.player(player) !== undefined) !== isLocal) throw new Error(`${player} is in view: ${isLocal}`);
          }
        }
      },
    };
  },
};

export const playerInfoEngines: Target = {
  name: "osrs/player-info engines",
  summary:
    "a script of players for two engines, JavaScript and WebAssembly: equal packets, and clients that know what the server knows",
  cover: new RegExp(`${src}protocols/osrs/player-info/wire/.*(?<!\\.test)\\.ts$`),
  maxBytes: SCRIPT_BYTES,
  async open() {
    const { PlayerInfoDecoder, revisions, fieldsOf, scripts } = await tools();
    const { TwinEngine } = await import(
      "../../../packages/wirewalk/src/protocols/osrs/player-info/testing/twin-engine.ts"
    );
    const { mustAgree, secondClientFor } = await import(
      "../../../packages/wirewalk/src/protocols/osrs/player-info/testing/agreement.ts"
    );
    const seeds: Uint8Array[] = [];
    const setups = revisions.flatMap((revision, at) =>
      dialects.map((dialect, which) => {
        const options = { dialect, revision, maxLocals: which === 0 ? 250 : 6 };
        const engine = new TwinEngine(options);
        for (const script of scripts(revision, 8)) {
          const ticks = script.flatMap((piece, place) => (place % 3 === 2 ? [piece, Uint8Array.of(255)] : [piece]));
          seeds.push(scriptOf([Uint8Array.of(at * 2 + which), ...ticks]));
        }
        return { engine, empty: engine.save(), decoder: new PlayerInfoDecoder(options) };
      }),
    );
    return {
      seeds: seeds.filter(({ length }) => length < SCRIPT_BYTES),
      run(input) {
        const { engine, empty, decoder } = setups[(input[1] ?? 0) % setups.length] as (typeof setups)[number];
        engine.prepareRestore(empty)();
        engine.add(1, tileFrom(30, 30));
        const init = engine.observe(1);
        decoder.init(init, 1);
        const second = secondClientFor(decoder);
        second?.init(init, 1);
        const fields = fieldsOf(engine.revision);
        const [, ...pieces] = piecesOf(input);
        for (const piece of [...pieces.slice(0, 30), Uint8Array.of(255)]) {
          const isTick = (piece[0] ?? 0) >= 128;
          if (!isTick) {
            play(engine, piece, fields);
            continue;
          }
          engine.tick();
          const packet = engine.packet(1).slice();
          const update = decoder.decode(packet);
          if (second !== undefined) mustAgree(second, decoder, packet, update);
          mustKnow(engine, decoder);
          // A spectator that begins now knows the same.
          const state = JSON.parse(JSON.stringify(engine.clientState(1))) as JsonObject;
          mustKnow(engine, PlayerInfoDecoder.fromState(state));
        }
      },
    };
  },
};

/** Throws unless observer 1 has everybody in view where the server has it. */
function mustKnow(engine: PlayerInfoEngine, { local, x, z, level }: PlayerInfoDecoder): void {
  for (let index = 1; index < local.length; index++) {
    const isLocal = local[index] === 1;
    if (isLocal !== engine.sees(1, index)) throw new Error(`Client and server differ in whether ${index} is in view`);
    if (!isLocal) continue;
    const tile = engine.tileOf(index);
    if (tile.x === x[index] && tile.z === z[index] && tile.level === level[index]) continue;
    throw new Error(`${index} is at ${x[index]}, ${z[index]}, ${level[index]}, and not at ${JSON.stringify(tile)}`);
  }
}

export const playerInfoStates: Target = {
  name: "osrs/player-info state",
  summary: "a client's state as JSON with changed members: refused by a WireError, or a decoder that reads on",
  cover: readersOnly,
  maxBytes: 40,
  async open() {
    const { PlayerInfoDecoder, PlayerInfoEngine, revisions, fieldsOf, scripts, WireError } = await tools();
    const states = revisions.map((revision, at): { state: PlayerInfoState; packet: Uint8Array } => {
      const engine = new PlayerInfoEngine({ dialect: "client", revision });
      engine.add(1, tileFrom(30, 30));
      engine.observe(1);
      for (const script of scripts(revision, 3)) {
        for (const piece of script) play(engine, piece, fieldsOf(revision));
        engine.tick();
      }
      const state = engine.clientState(1);
      engine.tick();
      return {
        state: { ...state, quarters: state.quarters.slice(0, 3), ...(at === 1 ? { scene: [8_000, 8_000] } : {}) },
        packet: engine.packet(1).slice(),
      };
    });
    /** A saved decoder with changed members: it is refused and nothing has changed, or the restored one reads. */
    const restore = (state: PlayerInfoState, changes: Uint8Array, packet: Uint8Array): void => {
      const decoder = PlayerInfoDecoder.fromState(JSON.parse(JSON.stringify(state)) as JsonObject);
      const changed = { value: structuredClone(decoder.save()) as unknown };
      const values = [changed.value as { memory: Record<string, Int32Array> }];
      const [which = 0, at = 0, value = 0] = changes;
      const arrays = Object.values(values[0]?.memory ?? {}).filter((each) => ArrayBuffer.isView(each));
      const array = arrays[which % (2 * arrays.length)];
      if (array !== undefined) array[at] = value - 128;
      changeValue(changed, changes.subarray(3), false);
      try {
        decoder.restore(changed.value as ReturnType<typeof decoder.save>);
        decoder.decode(packet);
      } catch (error) {
        if (!(error instanceof WireError || error instanceof RangeError || error instanceof TypeError)) throw error;
      }
    };
    return {
      seeds: [0, 1, 2, 0x80, 0x81].flatMap((which) =>
        Array.from({ length: 60 }, (_, at) => Uint8Array.of(which, at, at * 5, at * 7, at, at, at * 3)),
      ),
      run(input) {
        const { state, packet } = states[(input[0] ?? 0) % states.length] as (typeof states)[number];
        const isSaved = ((input[0] ?? 0) & 0x80) !== 0;
        if (isSaved) return restore(state, input.subarray(1), packet);
        const changed = { value: structuredClone(state) as unknown };
        changeValue(changed, input.subarray(1), true);
        const json = changed.value;
        if (typeof json !== "object" || json === null || Array.isArray(json)) return;
        try {
          PlayerInfoDecoder.fromState(json as JsonObject).decode(packet);
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
        }
      },
    };
  },
};
