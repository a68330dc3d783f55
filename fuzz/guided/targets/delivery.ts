/** The delivery of broadcasts, and the host's rooms, against a model that keeps a list for each player. */
import type { Target } from "../target.ts";

const PLAYERS = 5;
const ROOMS = ["a", "b"] as const;

/** A player of the model: what it must have received by now, and what waits for a flush. */
interface Modelled {
  room: string | undefined;
  waiting: string[];
  received: string[];
  isSlow: boolean;
  isLagging: boolean;
}

export const delivery: Target = {
  name: "delivery",
  summary:
    "a script of joins, rooms, messages, slow readers and flushes: each player receives what a simple model says, in order",
  cover: /packages\/wirewalk\/src\/host\/(?:delivery|room-log|reused-buffer|private-frames)\.ts$/,
  maxBytes: 400,
  async open() {
    const { Delivery } = await import("../../../packages/wirewalk/src/host/delivery.ts");
    const frame = (payload: Uint8Array): Uint8Array => Uint8Array.of(payload.length, ...payload);
    const framings = [{ frame }, { frame }];
    return {
      seeds: [
        Uint8Array.of(0, 0, 16, 1, 1, 0, 17, 1, 3, 0, 4, 0, 5, 0),
        Uint8Array.of(0, 0, 1, 0, 0, 1, 1, 1, 0, 2, 1, 2, 3, 1, 3, 2, 5, 1, 4, 1, 3, 0, 2, 0, 5, 9, 6, 1, 5, 9),
        Uint8Array.of(0, 0, 1, 0, 0, 1, 1, 1, 8, 1, 3, 0, 5, 9, 3, 0, 3, 0, 9, 1, 3, 0, 5, 9, 7, 1),
      ],
      run(script) {
        const tested = new Delivery();
        const model = new Map<number, Modelled>();
        const got = new Map<number, string[]>();
        let serial = 0;
        /** The player's turn in a flush: it receives all that waits. */
        const take = (each: Modelled): void => {
          each.received.push(...each.waiting.splice(0));
        };
        const add = (player: number): void => {
          const modelled: Modelled = { room: undefined, waiting: [], received: [], isSlow: false, isLagging: false };
          const received: string[] = [];
          model.set(player, modelled);
          got.set(player, received);
          tested.add(player, {
            framing: framings[player % 2] as (typeof framings)[number],
            isBehind: player % 3 === 0,
            deliver(bytes, messages) {
              let count = 0;
              for (let at = 0; at < bytes.length; at += 1 + (bytes[at] as number)) {
                received.push(bytes.slice(at + 1, at + 1 + (bytes[at] as number)).join(" "));
                count += 1;
              }
              if (count !== messages) throw new Error(`${messages} messages are delivered as ${count} frames`);
              take(modelled);
              if (modelled.isSlow) modelled.isLagging = true;
              return !modelled.isSlow;
            },
          });
        };
        const flushAll = (): void => {
          tested.flush();
          // A flush that was begun earlier may have ended with this call.
          tested.flush();
        };
        for (let at = 0; at + 1 < script.length && at < 300; at += 2) {
          const [what, which] = [script[at] as number, script[at + 1] as number];
          const player = 1 + (which % PLAYERS);
          const modelled = model.get(player);
          const room = ROOMS[(which >> 4) % ROOMS.length] as string;
          const payload = Uint8Array.of(serial & 0xff, serial >> 8, ...new Uint8Array(which % 7));
          const text = payload.join(" ");
          switch (what % 10) {
            case 0:
              if (modelled === undefined) add(player);
              break;
            case 1:
              tested.enter(player, room);
              if (modelled !== undefined) modelled.room = room;
              break;
            case 2:
              tested.exit(player);
              if (modelled !== undefined) modelled.room = undefined;
              break;
            case 3:
            case 4: {
              serial += 1;
              const except = what % 10 === 3 ? player : undefined;
              tested.broadcast(room, except, payload);
              for (const [id, each] of model) {
                if (each.room === room && id !== except && !each.isLagging) each.waiting.push(text);
              }
              break;
            }
            case 5:
              if (which % 2 === 0) tested.flush(1 + (which >> 5));
              else flushAll();
              break;
            case 6:
              serial += 1;
              tested.send(player, payload);
              modelled?.waiting.push(text);
              break;
            case 7:
              tested.remove(player);
              if (modelled !== undefined) check(player, modelled);
              model.delete(player);
              break;
            case 8:
              if (modelled !== undefined) modelled.isSlow = !modelled.isSlow;
              break;
            case 9:
              tested.resume(player);
              if (modelled !== undefined) modelled.isLagging = false;
              break;
          }
          if (tested.isLagging(player) !== (model.get(player)?.isLagging ?? false)) {
            throw new Error(`Player ${player} ${tested.isLagging(player) ? "lags" : "does not lag"}`);
          }
        }
        flushAll();
        if (tested.pending) throw new Error("Something is pending after a flush");
        for (const [player, modelled] of model) check(player, modelled);
        for (const player of model.keys()) tested.remove(player);
        if (tested.heldBytes !== 0) throw new Error(`${tested.heldBytes} bytes are held for nobody`);

        function check(player: number, { received, waiting }: Modelled): void {
          const found = got.get(player)?.join(", ");
          const expected = [...received, ...waiting].join(", ");
          if (found !== expected) throw new Error(`Player ${player} has received ${found}, and not ${expected}`);
        }
      },
    };
  },
};
