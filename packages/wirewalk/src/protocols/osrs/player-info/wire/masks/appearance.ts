/**
 * The bytes of an appearance, as the client reads them (standard 6.7 and 6.8): of revision 206, and of those from 223 on, which
 * have more places and texts.
 *
 * ```ts
 * const look = { ...plainLook, name: "Ann", places: [0, 0, 0, 0, 256, 0, 257, 258, 259, 260, 261, 262] };
 * writeAppearance(look, "206").length; // => 49
 * readAppearance(writeAppearance(look, "223"), "223").name; // => "Ann"
 * ```
 */
import {
  ByteReader,
  ByteWriter,
  formatHex,
  type Layout,
  readLayout,
  type Tracer,
  windows1252String,
  writeLayout,
} from "../../../../../wire/index.ts";
import { MAX_STRING_LENGTH, type MaskRevision } from "./mask-revision.ts";

/** Places of equipment and body parts. */
const PLACES = 12;
const COLOURS = 5;
const ANIMATIONS = 7;
/** In the first place: the player looks like an NPC. */
const NPC_LOOK = 0xffff;

/** Which bytes an appearance has. */
export type AppearanceForm = "206" | "223";

/** How a player looks. */
export interface Appearance {
  readonly gender: number;
  readonly skullIcon: number;
  readonly prayerIcon: number;
  /** The NPC that the player looks like, in place of its places. */
  readonly npc?: number;
  /** 12 places, which interfaces of 223 show of one that looks like an NPC too (206: not read): 0 for nothing, over 255 for a body part or a piece of equipment. */
  readonly places: readonly number[];
  /** 5 colours, as numbers of the client's tables. */
  readonly colours: readonly number[];
  /** 7 animations: ready, turn, walk, walk back, left and right, run. */
  readonly animations: readonly number[];
  readonly name: string;
  readonly combatLevel: number;
  readonly skillLevel: number;
  readonly hidden: boolean;
}

/** Nothing in particular, to begin with. */
export const plainLook: Appearance = {
  gender: 0,
  skullIcon: 0xff,
  prayerIcon: 0xff,
  places: new Array(PLACES).fill(0),
  colours: new Array(COLOURS).fill(0),
  animations: [808, 823, 819, 820, 821, 822, 824],
  name: "",
  combatLevel: 3,
  skillLevel: 0,
  hidden: false,
};

/** The form of a revision's appearances, by the least bytes of its block; undefined where that is none of the known. */
export function appearanceFormOf({ blocks }: MaskRevision): AppearanceForm | undefined {
  const [need] = blocks.find(({ name }) => name === "appearance")?.clientNeeds ?? [];
  return need?.minLength === 31 ? "206" : need?.minLength === 49 ? "223" : undefined;
}

const text: Layout<string> = windows1252String({ limit: MAX_STRING_LENGTH });

/** Throws `RangeError` or `TypeError` for numbers and texts that do not fit. */
export function writeAppearance(look: Appearance, form: AppearanceForm): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  if ((look.npc === undefined || form === "223") && look.places.length !== PLACES) {
    throw new RangeError(`An appearance has ${PLACES} places, got ${look.places.length}`);
  }
  const place = (value: number): void => {
    // Its first byte would be read as a place with nothing.
    if (value > 0 && value < 0x100) throw new RangeError(`A place must be 0 or over 255, got ${value}`);
    if (value === 0) writer.u8(0);
    else writer.u16be(value);
  };
  for (const icon of [look.gender, look.skullIcon, look.prayerIcon]) writer.u8(icon);
  if (look.npc === undefined) look.places.forEach(place);
  else {
    writer.u16be(NPC_LOOK);
    writer.u16be(look.npc);
  }
  // What interfaces show of the player.
  if (form === "223") look.places.forEach(place);
  for (const colour of look.colours) writer.u8(colour);
  for (const animation of look.animations) writer.u16be(animation);
  writeLayout(text, writer, look.name);
  writer.u8(look.combatLevel);
  writer.u16be(look.skillLevel);
  writer.u8(look.hidden ? 1 : 0);
  if (form === "223") {
    // No changed colours of equipment, no words around the name, and the gender of texts.
    writer.u16be(0);
    for (let count = 0; count < 3; count++) writeLayout(text, writer, "");
    writer.u8(look.gender);
  }
  return writer.toBytes();
}

/**
 * Reads what {@link writeAppearance} writes, as far as it is described; throws `WireError` where bytes are missing. The tracer takes
 * the fields.
 */
export function readAppearance(bytes: Uint8Array, form: AppearanceForm, tracer?: Tracer): Appearance {
  const reader = new ByteReader(bytes);
  const field = <T extends number | string>(path: string, read: () => T, shown?: (value: T) => string): T => {
    if (tracer === undefined) return read();
    const from = reader.offset;
    const value = read();
    const raw = typeof value === "number" ? value : formatHex(reader.region(from, reader.offset), { separator: "" });
    tracer.field(path, from * 8, (reader.offset - from) * 8, raw, shown?.(value) ?? String(value));
    return value;
  };
  const u8 = (path: string, shown?: (value: number) => string): number => field(path, () => reader.u8(), shown);
  const u16 = (path: string): number => field(path, () => reader.u16be());
  const place = (path: string): number =>
    field(path, () => (reader.peekU8() === 0 ? reader.u8() : reader.u16be()), placeWord);
  const list = (path: string, count: number, read: (path: string) => number): number[] =>
    Array.from({ length: count }, (_, index) => read(`${path}[${index}]`));
  const [gender, skullIcon, prayerIcon] = [u8("gender"), u8("skullIcon", iconWord), u8("prayerIcon", iconWord)];
  const first = place("places[0]");
  const npc = first === NPC_LOOK ? u16("npc") : undefined;
  const places = [first];
  while (npc === undefined && places.length < PLACES) places.push(place(`places[${places.length}]`));
  const shown = form === "223" ? list("shownPlaces", PLACES, place) : [];
  const colours = list("colours", COLOURS, u8);
  const animations = list("animations", ANIMATIONS, u16);
  const name = field(
    "name",
    () => readLayout(text, reader),
    (value) => JSON.stringify(value),
  );
  return {
    gender,
    skullIcon,
    prayerIcon,
    ...(npc === undefined ? {} : { npc }),
    places: npc === undefined ? places : shown,
    colours,
    animations,
    name,
    combatLevel: u8("combatLevel"),
    skillLevel: u16("skillLevel"),
    hidden: u8("hidden", (value) => (value === 0 ? "no" : "yes")) !== 0,
  };
}

function placeWord(value: number): string {
  if (value === NPC_LOOK) return "looks like an NPC";
  return value === 0 ? "nothing" : String(value);
}

function iconWord(value: number): string {
  return value === 0xff ? "none" : String(value);
}
