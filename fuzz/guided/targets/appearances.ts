/** The bytes of appearances in player info. */
import type { Target } from "../target.ts";
import { src } from "./sources.ts";

const forms = ["206", "223"] as const;

export const appearances: Target = {
  name: "osrs appearances",
  summary:
    "bytes of an appearance: refused by a WireError, or what is written of it is read as it; each revision has a form or none",
  cover: new RegExp(`${src}protocols/osrs/player-info/wire/masks/appearance\\.ts$`),
  maxBytes: 200,
  async open() {
    const { appearanceFormOf, plainLook, readAppearance, writeAppearance } = await import(
      "../../../packages/wirewalk/src/protocols/osrs/player-info/wire/masks/appearance.ts"
    );
    const { namedRevisions } = await import("wirewalk/osrs/player-info");
    const { tilingFault, Tracer, WireError } = await import("wirewalk/wire");
    const revisions = Object.values(namedRevisions);
    const dressed = { ...plainLook, name: "Ann", places: [0, 300, 256, 0, 257, 258, 259, 260, 261, 262, 0, 0x1ff] };
    return {
      seeds: forms.flatMap((form, at) =>
        [plainLook, dressed, { ...dressed, npc: 7, hidden: true }].map((look) =>
          Uint8Array.of(at, ...writeAppearance(look, form)),
        ),
      ),
      run(input) {
        const form = forms[(input[0] ?? 0) % forms.length] as (typeof forms)[number];
        const revision = revisions[(input[0] ?? 0) % revisions.length] as (typeof revisions)[number];
        const known = appearanceFormOf(revision);
        if (known !== undefined && !forms.includes(known))
          throw new Error(`Revision ${revision.name} has the form ${known}`);
        let look: ReturnType<typeof readAppearance>;
        try {
          look = readAppearance(input.subarray(1), form);
        } catch (error) {
          if (error instanceof WireError) return;
          throw error;
        }
        // A trace changes nothing, and its fields lie end to end.
        const tracer = new Tracer();
        const traced = readAppearance(input.subarray(1), form, tracer);
        if (JSON.stringify(traced) !== JSON.stringify(look)) throw new Error("A trace reads something else");
        const bits = tracer.fields.reduce((sum, { bitLength }) => sum + bitLength, 0);
        const fault = bits % 8 === 0 ? tilingFault(tracer.fields, bits / 8) : `${bits} bits`;
        if (fault !== undefined) throw new Error(fault);
        // Another place, or fewer: refused, or read as it was written.
        const places = [(input[2] ?? 0) * 2, ...look.places.slice(1, (input[1] ?? 0) % 2 === 0 ? 12 : 11)];
        try {
          const other = readAppearance(writeAppearance({ ...look, places }, form), form);
          if (look.npc === undefined && other.places.join() !== places.join())
            throw new Error(`${places} are read as ${other.places}`);
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
        }
        const again = readAppearance(writeAppearance(look, form), form);
        if (JSON.stringify(again) !== JSON.stringify(look)) {
          throw new Error(`${JSON.stringify(look)} is written and read as ${JSON.stringify(again)}`);
        }
      },
    };
  },
};
