/** Worlds as scripts. */
import type { Target } from "../target.ts";
import { payloadsOf, protocolNamed } from "./payloads.ts";
import { piecesOf, SCRIPT_BYTES, scriptOf } from "./script.ts";
import { src } from "./sources.ts";

/** A world as a script of joins, leaves, payloads and time: it throws never, and goes on the same after it was saved and restored. */
export function worldTarget(protocolName: string, dialect: string): Target {
  return {
    name: `${protocolName}/${dialect} world`,
    summary: "a script of joins, leaves, payloads and ticks: no error, and a restored world goes on as the other",
    cover: new RegExp(`${src}protocols/(?:world-kit|${protocolName})/(?!.*(?:bots|testing)/).*(?<!\\.test)\\.ts$`),
    maxBytes: SCRIPT_BYTES,
    async open() {
      const protocol = await protocolNamed(protocolName);
      const { readOrRefuse } = await import("../../../packages/wirewalk/src/protocols/testing/payloads.ts");
      const codec = protocol.codec(dialect);
      const payloads = await payloadsOf(codec, "client");
      const create = () => protocol.createWorld({ dialect, seed: 1, demo: true });
      const empty = create().save();
      const world = create();
      const other = create();
      /** One piece of a script: what happens, to whom, and how much later. */
      const play = (target: typeof world, piece: Uint8Array, nowMs: number, players: Set<number>): void => {
        const [what = 0, who = 0] = piece;
        const player = (who % 4) + 1;
        if (!players.has(player)) {
          players.add(player);
          target.join(
            player,
            { account: `account${player}`, name: `player${player}`, room: String(1 + (what & 1)) },
            nowMs,
          );
        } else if (what === 255) {
          players.delete(player);
          target.leave(player, nowMs);
        } else {
          const payload = piece.slice(3);
          const message = readOrRefuse(codec, "client", payload);
          if (message !== undefined) target.receive(player, message, payload, nowMs);
        }
        target.tick(nowMs);
      };
      return {
        seeds: payloads.map((payload) => {
          const move = Uint8Array.of(0, 0, 10, ...payload);
          return scriptOf([Uint8Array.of(0, 0, 0), move, Uint8Array.of(0, 1, 9), move, move]);
        }),
        run(script) {
          world.restore(empty);
          world.takeEffects();
          const players = new Set<number>();
          let nowMs = 0;
          let isSaved = false;
          let pieces = 0;
          let otherPlayers = new Set<number>();
          for (const piece of piecesOf(script)) {
            if (++pieces > 24) break;
            nowMs += (piece[2] ?? 0) * 10;
            if (pieces === 4) {
              isSaved = true;
              other.restore(world.save());
              other.takeEffects();
              world.takeEffects();
              otherPlayers = new Set(players);
            }
            play(world, piece, nowMs, players);
            if (!isSaved) continue;
            play(other, piece, nowMs, otherPlayers);
            const effects = JSON.stringify(world.takeEffects(), bigints);
            const restored = JSON.stringify(other.takeEffects(), bigints);
            if (effects !== restored) throw new Error(`The restored world answers ${restored}, the other ${effects}`);
          }
          if (isSaved && world.digest() !== other.digest()) throw new Error("The restored world has another digest");
        },
      };
    },
  };
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
