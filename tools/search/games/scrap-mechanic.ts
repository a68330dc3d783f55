/** Scrap Mechanic: keys with ticks. */
import { ScrapBot } from "../../../packages/wirewalk/src/protocols/scrap-mechanic/bots/bot.ts";
import { movementModel, TICK_MS } from "../../../packages/wirewalk/src/protocols/scrap-mechanic/movement/model.ts";
import {
  keySets,
  type PlayerMovement,
} from "../../../packages/wirewalk/src/protocols/scrap-mechanic/wire/player-movement.ts";
import { type ChangeKinds, commonChanges, replacing, round } from "../changes.ts";
import type { SearchGame } from "../games.ts";
import { BeyondSpeed, LATE_SECONDS, overGround, TenSeconds } from "../gauges.ts";
import type { Sent } from "../play.ts";

const moves = ["playerMovement"] as const;
const anAngle = { least: 0, most: 255, isWhole: true } as const;

function edited(edit: (movement: PlayerMovement, amounts: Readonly<Record<string, number>>) => PlayerMovement) {
  return replacing((sent, amounts) => {
    if (sent.message?.message !== "playerMovement") return [sent];
    return [{ ...sent, message: { ...sent.message, value: edit(sent.message.value as PlayerMovement, amounts) } }];
  });
}

const changes: ChangeKinds = {
  ...commonChanges,
  keys: {
    amounts: { keys: { least: 0, most: keySets.length - 1, isWhole: true } },
    messages: moves,
    apply: edited((movement, { keys = 0 }) => ({ ...movement, keys: keySets[keys] ?? movement.keys })),
    words: ({ keys }) => `has the keys ${keys}`,
  },
  look: {
    amounts: { direction: anAngle, yaw: anAngle, pitch: anAngle },
    messages: moves,
    apply: edited((movement, { direction = 0, yaw = 0, pitch = 0 }) => ({ ...movement, direction, yaw, pitch })),
    words: ({ direction, yaw, pitch }) => `direction ${direction}, yaw ${yaw}, pitch ${pitch}`,
  },
  leap: {
    amounts: { ticks: { least: -400, most: 400, isWhole: true } },
    messages: moves,
    apply: (stream, isChosen, { ticks = 0 }) => {
      let all = 0;
      return stream.map((sent): Sent => {
        if (isChosen(sent)) all += ticks;
        if (sent.message?.message !== "playerMovement") return sent;
        const movement = sent.message.value as PlayerMovement;
        return { ...sent, message: { ...sent.message, value: { ...movement, tick: (movement.tick + all) >>> 0 } } };
      });
    },
    words: ({ ticks }) => `its tick and all later ones are ${ticks} ticks later`,
  },
  more: {
    amounts: { ticks: { least: 1, most: 40, isWhole: true } },
    messages: moves,
    apply: (stream, isChosen, { ticks = 1 }) => {
      let all = 0;
      return stream.flatMap((sent): readonly Sent[] => {
        const added = isChosen(sent) ? ticks : 0;
        if (sent.message?.message !== "playerMovement") return [sent];
        const message = sent.message;
        const movement = message.value as PlayerMovement;
        const from = movement.tick + all;
        all += added;
        return Array.from({ length: added + 1 }, (_, index) => ({
          ...sent,
          message: { ...message, value: { ...movement, tick: (from + index) >>> 0 } },
        }));
      });
    },
    words: ({ ticks }) => `${ticks} more ticks like it, and all later ones count on`,
  },
  use: {
    amounts: { times: { least: 1, most: 5, isWhole: true }, gapMs: { least: 0, most: 1000 } },
    messages: moves,
    apply: replacing((sent, { times = 1, gapMs = 0 }) => [
      sent,
      ...Array.from({ length: times }, (_, index) => ({
        atMs: sent.atMs + index * gapMs,
        message: { message: "use", value: {} },
      })),
    ]),
    words: ({ times, gapMs = 0 }) => `followed by ${times} use keys, ${round(gapMs)} ms apart`,
  },
};

const { sprintSpeed } = movementModel;
const metres = { unit: "m", bound: 0.25 } as const;

export const scrapGame: SearchGame = {
  answers: new Set(),
  session: new Set(["hello"]),
  messages: () => ["playerMovement", "use"],
  changes: () => changes,
  measures: { leap: metres, distance: metres, "ten seconds": metres },
  gauges: () => ({
    // As others see it, a tick at a time: a character that stands and then goes at several times its speed leaps.
    leap: new BeyondSpeed({ way: overGround, perSecond: sprintSpeed, free: (sprintSpeed * TICK_MS) / 1000 }),
    distance: new BeyondSpeed({ way: overGround, perSecond: sprintSpeed, lateSeconds: LATE_SECONDS }),
    "ten seconds": new TenSeconds(overGround, sprintSpeed),
  }),
  client: () => ({ hear: () => {}, send: (message) => message }),
  createBot: (_protocol, options) => new ScrapBot({ place: "plain", ...options }),
  startsAnywhere: () => false,
  roomName: ({ room }) => (room === undefined ? undefined : String(room)),
  rooms: () => [1],
};
