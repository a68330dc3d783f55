/** Whole characters of MapleStory, as a login carries them: where each comes in. */
import type { Target } from "../target.ts";
import { src } from "./sources.ts";

const dialects = ["v62", "v83", "v95", "documented"] as const;
const zeros = (count: number): number[] => new Array(count).fill(0);

/** Bytes of a character up to what follows its place. */
function characterOf(
  dialect: number,
  job: number,
  table: readonly number[] | undefined,
  mapId = 0x5f5_e100,
): Uint8Array {
  const head = [14, 0, 0, 0][dialect] as number;
  const gap = [0, 1, 2, 0][dialect] as number;
  const points = dialect === 2 ? 16 : 8;
  return Uint8Array.from([
    dialect,
    ...zeros(head),
    ...new Array(8).fill(0xff),
    ...zeros(gap),
    ...[7, 0, 0, 0],
    ...[0x41, 0x6e, 0x6e, ...zeros(10)],
    ...zeros(34),
    30,
    ...[job & 0xff, job >> 8],
    ...zeros(8 + points + 2),
    ...(table === undefined ? [1, 0] : [table.length / 2, ...table]),
    ...zeros(10),
    ...[mapId & 0xff, (mapId >> 8) & 0xff, (mapId >> 16) & 0xff, mapId >>> 24],
    3,
  ]);
}

export const mapleCharacters: Target = {
  name: "maplestory characters",
  summary: "bytes of a whole character: a place within the limits that follows from what was read alone, or none",
  cover: new RegExp(`${src}protocols/maplestory/wire/character-place\\.ts$`),
  maxBytes: 160,
  async open() {
    const { placeOfCharacter } = await import(
      "../../../packages/wirewalk/src/protocols/maplestory/wire/character-place.ts"
    );
    const place = (dialect: number, data: Uint8Array) =>
      placeOfCharacter(dialects[dialect % dialects.length] as (typeof dialects)[number], data);
    return {
      seeds: [
        ...[0, 1, 2, 3].map((dialect) => characterOf(dialect, 100, undefined)),
        ...[0, 1, 2].map((dialect) => characterOf(dialect, 2001, [1, 3])),
        ...[1, 2].map((dialect) => characterOf(dialect, 2215, [1, 3, 2, 1])),
        characterOf(2, 3211, [1, 1]),
        characterOf(1, 3211, undefined),
        characterOf(1, 100, undefined, 0xffff_ffff),
      ],
      run(input) {
        const [dialect = 0] = input;
        const data = input.subarray(1);
        const found = place(dialect, data);
        if (found === undefined) return;
        const { mapId, portal } = found;
        if (mapId > 999_999_999 || portal > 255) throw new Error(`A place out of its limits: ${mapId}, ${portal}`);
        // What follows says nothing of it, and nothing shorter has it.
        const longer = place(dialect, Uint8Array.of(...data, 1, 2, 3));
        if (longer?.mapId !== mapId || longer.portal !== portal)
          throw new Error("Bytes behind a character change its place");
      },
    };
  },
};
