/** What games read and write beside their codecs: in options that a server does not use, one record at a time, in parts. */
import { createCipheriv } from "node:crypto";
import type { Side } from "wirewalk/protocol";
import type { Target } from "../target.ts";
import { src } from "./sources.ts";

/** The first byte says which reader. */
export const handWritten: Target = {
  name: "hand-written readers",
  summary:
    "bytes for the readers beside the codecs: lenient options, rows of fragments, mouse packets, angles, AES: as the codec says",
  cover: new RegExp(`${src}(?:wire/lz4-block|protocols/(?:message-table|.*/wire/(?!engine/))).*(?<!\\.test)\\.ts$`),
  maxBytes: 300,
  async open() {
    const { WireError, decode } = await import("wirewalk/wire");
    const scrap = await import("wirewalk/scrap-mechanic");
    const { unpackUpdate } = await import("../../../packages/wirewalk/src/protocols/scrap-mechanic/wire/codec.ts");
    const angles = await import("../../../packages/wirewalk/src/protocols/scrap-mechanic/wire/angle.ts");
    const { FragmentRows } = await import("../../../packages/wirewalk/src/protocols/maplestory/wire/fragment-rows.ts");
    const io = await import("../../../packages/wirewalk/src/protocols/maplestory/wire/fragment-io.ts");
    const fragments = await import("../../../packages/wirewalk/src/protocols/maplestory/wire/fragment-table.ts");
    const { boxOf, targetOf } = await import("../../../packages/wirewalk/src/protocols/maplestory/wire/messages.ts");
    const maple = await import("wirewalk/maplestory");
    const { Aes256 } = await import("../../../packages/wirewalk/src/protocols/maplestory/wire/aes.ts");
    const mouse = await import("../../../packages/wirewalk/src/protocols/osrs/mouse/wire/packet.ts");
    const { traceMousePacket } = await import("../../../packages/wirewalk/src/protocols/osrs/mouse/wire/trace.ts");
    const delta = await import("../../../packages/wirewalk/src/protocols/slime-online-2/wire/position-delta.ts");
    const { checkPayload } = await import("../../../packages/wirewalk/src/protocols/testing/payloads.ts");
    /** What `work` gives as text, or the refusal with its place. */
    const say = (work: () => unknown): string => {
      try {
        return JSON.stringify(work(), (_, value: unknown) =>
          ArrayBuffer.isView(value)
            ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")
            : value,
        );
      } catch (error) {
        if (error instanceof WireError) return `${error.code} ${error.path} ${error.bitOffset}`;
        if (error instanceof RangeError || error instanceof TypeError) return error.name;
        throw error;
      }
    };
    const mustBeEqual = (what: string, a: string, b: string): void => {
      if (a !== b) throw new Error(`${what}: ${a} and ${b}`);
    };
    const rows = new FragmentRows();
    const tables = [
      fragments.v62Fragments,
      fragments.documentedFragments,
      fragments.v83Fragments,
      fragments.v95Fragments,
    ];
    const sideOf = (byte: number): Side => ((byte & 1) === 0 ? "client" : "server");
    const readers: readonly ((option: number, bytes: Uint8Array) => void)[] = [
      function scrapMovement(option, bytes) {
        const strictness = (option & 1) === 0 ? "strict" : "lenient";
        const codec = scrap.scrapCodec("documented", { lenient: strictness === "lenient" });
        const byHand = say(() => scrap.decodePlayerMovement(bytes, strictness));
        if (strictness === "strict")
          mustBeEqual(
            "by default",
            say(() => scrap.decodePlayerMovement(bytes)),
            byHand,
          );
        if (bytes[0] === scrap.PLAYER_MOVEMENT_ID)
          mustBeEqual(
            "movement",
            byHand,
            say(() => codec.read("client", bytes).value),
          );
        if (!byHand.startsWith("{")) return;
        const value = scrap.decodePlayerMovement(bytes, strictness);
        const into = new Uint8Array((option >> 1) & 15);
        const written = say(() => scrap.encodePlayerMovementInto(into, value));
        mustBeEqual("memory", String(written), into.length < 10 ? "RangeError" : "undefined");
        mustBeEqual(
          "body",
          say(() =>
            decode(codec.layouts.client.playerMovement as never, scrap.encodePlayerMovement(value).subarray(1)),
          ),
          byHand,
        );
      },
      function scrapOptions(option, bytes) {
        const options = { lenient: (option & 1) !== 0, countByte: (option & 2) !== 0 };
        const side = sideOf(option >> 2);
        checkPayload(scrap.scrapCodec("documented", options), side, bytes);
        const body = say(() => unpackUpdate(bytes, options));
        if (bytes[0] !== scrap.UNRELIABLE_UPDATE_ID || !body.startsWith('"')) return;
        const unpacked = unpackUpdate(bytes, options);
        const value = say(() => scrap.decodeUpdateBody(unpacked, options));
        mustBeEqual(
          "body",
          value,
          say(() => scrap.scrapCodec("documented", options).read("server", bytes).value).replace(
            / \d+$/,
            value.startsWith("{") ? "" : ` ${value.split(" ").at(-1)}`,
          ),
        );
        if (!value.startsWith("{")) return;
        const update = scrap.decodeUpdateBody(unpacked, options);
        const written = scrap.encodeUpdateBody(update, options);
        if (!options.lenient && options.countByte) {
          mustBeEqual(
            "unpacked by default",
            say(() => unpackUpdate(bytes)),
            body,
          );
          mustBeEqual(
            "read by default",
            say(() => scrap.decodeUpdateBody(unpacked)),
            value,
          );
          mustBeEqual(
            "written by default",
            say(() => scrap.encodeUpdateBody(update)),
            say(() => written),
          );
        }
      },
      function mapleRows(option, bytes) {
        const table = tables[option % tables.length] as (typeof tables)[number];
        let end = -1;
        const byRows = say(() => {
          end = rows.read(bytes, 0, table);
          return end;
        });
        const list = io.fragmentList(table);
        const read = (): readonly Record<string, number | string>[] => decode(list, bytes.subarray(0, end)) as never;
        if (end < 0) {
          const refusal = say(() => decode(list, bytes))
            .replace(/^(\S+) /, "$1 fragments.")
            .replace(". ", " ")
            .replace(".[", "[");
          mustBeEqual("refused rows", byRows, refusal);
          return;
        }
        const found = read();
        if (found.length !== rows.count) throw new Error(`${rows.count} rows of ${found.length} fragments`);
        found.forEach((fragment, row) => {
          const { type, state = 0, durationMs = 0, x = 0, y = 0, vx = 0, vy = 0, foothold = 0 } = fragment;
          const extra = Number(fragment.fallStart) | Number(fragment.unknown) | Number(fragment.data);
          const whole = [type, state, durationMs, x, y, vx, vy, (Number(foothold) << 16) >> 16, (extra << 16) >> 16];
          const own = [
            rows.type(row),
            rows.state(row),
            rows.durationMs(row),
            rows.x(row),
            rows.y(row),
            rows.vx(row),
            rows.vy(row),
            rows.foothold(row),
            rows.extra(row),
          ];
          mustBeEqual(`row ${row}`, own.join(), whole.join());
        });
        const start = {
          x: option * 200,
          y: -option,
          ...(table.startsMoving && option > 9 ? { vx: option, vy: -1 } : {}),
        };
        const headBytes = table.startsMoving ? 8 : 4;
        const path = { start, fragments: found as never };
        const encoded = say(() => io.encodePath(path, table));
        if (start.x > 0x7fff) return mustBeEqual("start", encoded, "RangeError");
        mustBeEqual(
          "path",
          encoded.slice(1 + 2 * headBytes),
          `${Buffer.from(bytes.subarray(0, end)).toString("hex")}"`,
        );
        mustBeEqual(
          "size",
          say(() => io.sizeOfFragments(found as never, table)),
          String(end - 1),
        );
        const places = found.filter(
          ({ kind }) => kind !== "relative" && kind !== "startFallDown" && kind !== "equipment" && kind !== "bare",
        );
        const xs = [start.x, ...places.map(({ x }) => Number(x ?? 0))];
        const ys = [start.y, ...places.map(({ y }) => Number(y ?? 0))];
        const box = { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
        mustBeEqual(
          "box",
          say(() => boxOf(start, found as never)),
          JSON.stringify(box),
        );
        const head = Buffer.alloc(9);
        head.writeInt16LE(start.x, 0);
        head.writeInt16LE(start.y, 2);
        const emptyPath = (at: object): string =>
          Buffer.from(io.encodePath({ start: at as never, fragments: [] }, fragments.v95Fragments)).toString("hex");
        mustBeEqual("head without a velocity", emptyPath({ x: start.x, y: start.y }), head.toString("hex"));
        head.writeInt16LE(-option, 4);
        head.writeInt16LE(option, 6);
        mustBeEqual("head with a velocity", emptyPath({ ...start, vx: -option, vy: option }), head.toString("hex"));
      },
      function mapleTargets(option, bytes) {
        if (bytes.length < 4) return;
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        const expected =
          option >= 24 && option <= 41
            ? { attack: { x: view.getInt16(0, true), y: view.getInt16(2, true) } }
            : option >= 42 && option <= 59
              ? { skill: { id: bytes[0], level: bytes[1], delay: view.getInt16(2, true) } }
              : undefined;
        mustBeEqual(
          "target",
          String(say(() => targetOf(option, bytes.subarray(0, 4)))),
          String(JSON.stringify(expected)),
        );
      },
      function mousePackets(option, bytes) {
        const dialect = ["client", "native", "documented"][option % 3] as string;
        const strict = (option & 4) !== 0;
        const byHand = say(() => mouse.readMousePacket(dialect, bytes, strict ? { strict } : undefined));
        const { error, message } = traceMousePacket(dialect, bytes, strict ? { strict } : undefined);
        mustBeEqual(
          "traced",
          error === undefined ? say(() => message?.value) : `${error.code} ${error.path} ${error.bitOffset}`,
          byHand,
        );
      },
      function arithmetic(option, bytes) {
        const [a = 0, b = 0, c = 0, d = 0] = bytes;
        const [oldX, newX] = [a * 256 + b, c * 256 + d];
        const change = delta.encodePositionDelta(oldX, option, newX, 255 - option);
        const after = delta.applyPositionDelta(oldX, option, change);
        if (change.exact !== (after.x === newX && after.y === 255 - option))
          throw new Error(`${oldX} to ${newX} is ${JSON.stringify(change)}`);
        const turn = (a / 256) * 2 * Math.PI;
        if (Math.abs(angles.sine(a) - Math.sin(turn)) > 1e-12) throw new Error(`The sine of ${a} is ${angles.sine(a)}`);
        const turns = option === 0 ? Number.NaN : a / 256 + b;
        mustBeEqual(
          "angle",
          say(() => angles.nearestAngle(turns)),
          option === 0 ? "RangeError" : String(a),
        );
      },
      function aes(option, bytes) {
        const key = bytes.slice(0, option === 1 ? 31 : 32);
        const block = bytes.slice(32, option === 2 ? 47 : 48);
        const isWhole = key.length === 32 && block.length === 16;
        const expected = isWhole ? createCipheriv("aes-256-ecb", key, null).update(block).toString("hex") : undefined;
        const found = say(() => {
          new Aes256(key).encryptBlock(block);
          return block;
        });
        mustBeEqual("AES", found, isWhole ? `"${expected}"` : "RangeError");
      },
      function maplePaths(option, bytes) {
        const dialect = maple.mapleDialects[
          option % maple.mapleDialects.length
        ] as (typeof maple.mapleDialects)[number];
        if (
          dialect.name === "documented" ||
          !say(() => maple.mapleCodec(dialect.name).read("client", bytes)).startsWith("{")
        )
          return;
        const message = maple.mapleCodec(dialect.name).read("client", bytes);
        if (!("start" in message.value) || !("fragments" in message.value)) return;
        const path = message.value as Parameters<typeof io.encodePath>[0];
        mustBeEqual(
          "bytes of the path",
          say(() => maple.pathBytesOf(message as never, bytes, dialect.name)),
          say(() => io.encodePath(path, dialect.fragments)),
        );
      },
    ];
    const seeds: Uint8Array[] = [];
    const { payloadsOf, dialectCodecs } = await import("./payloads.ts");
    for (const codec of await dialectCodecs()) {
      for (const side of ["client", "server"] as const) {
        for (const payload of await payloadsOf(codec, side)) {
          for (const kind of readers.keys()) seeds.push(Uint8Array.of(kind, side === "client" ? 2 : 6, ...payload));
        }
      }
    }
    const absolute = [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 7, 0];
    seeds.push(Uint8Array.of(2, 0, 2, ...absolute, ...absolute), Uint8Array.of(6, 0, ...new Uint8Array(48)));
    return {
      seeds: seeds.filter(({ length }) => length < 200),
      run(input) {
        const [kind = 0, option = 0] = input;
        readers[kind % readers.length]?.(option, input.slice(2));
      },
    };
  },
};
