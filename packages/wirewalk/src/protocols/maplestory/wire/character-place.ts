/**
 * Where a character comes in that has just logged in: its map and its portal stand in the whole character that CHANGE_MAP then
 * carries, after its name, its looks and its numbers. The rest of the character is not read.
 *
 * Source: public servers of each version write these fields in this order (docs/protocols/maplestory.md 3.4.2).
 */
import { ByteReader, WireError } from "../../../wire/index.ts";
import type { DialectRules } from "./dialect.ts";

/** A map and a portal of it. */
export interface CharacterPlace {
  readonly mapId: number;
  readonly portal: number;
}

/** What the versions have before and within the numbers, in bytes. */
interface CharacterForm {
  /** Before the bits that say which parts of a character are there: notices and seeds, where they belong to the data. */
  readonly head: number;
  /** Between those bits and the character's number. */
  readonly gap: number;
  /** Health and mana, and the most of both. */
  readonly points: number;
  /** Whether jobs of the third thousand have a table of skill points, too. */
  readonly hasResistance: boolean;
}

const forms: Readonly<Partial<Record<DialectRules["name"], CharacterForm>>> = {
  v62: { head: 14, gap: 0, points: 8, hasResistance: false },
  v83: { head: 0, gap: 1, points: 8, hasResistance: false },
  v95: { head: 0, gap: 2, points: 16, hasResistance: true },
};

/** The part with name, looks and numbers is there. */
const HAS_NUMBERS = 1n;
const NAME_BYTES = 13;
/** Gender, skin, face, hair, three pets. */
const LOOK_BYTES = 1 + 1 + 4 + 4 + 3 * 8;
/** Strength, dexterity, intelligence, luck. */
const ABILITY_BYTES = 8;
/** Experience, fame, and experience of a kind that is not used. */
const EXPERIENCE_BYTES = 4 + 2 + 4;
const MAX_MAP_ID = 999_999_999;
const MAX_LEVEL = 250;

/**
 * The place in a whole character. Undefined where the data is no such character: it was cut, or a server writes it in another way. Then
 * the place is not known.
 */
export function placeOfCharacter(dialect: DialectRules["name"], data: Uint8Array): CharacterPlace | undefined {
  const form = forms[dialect];
  if (form === undefined) return undefined;
  try {
    return readPlace(new ByteReader(data), form);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function readPlace(reader: ByteReader, form: CharacterForm): CharacterPlace | undefined {
  reader.skip(form.head);
  if ((reader.u64le() & HAS_NUMBERS) === 0n) return undefined;
  reader.skip(form.gap + 4);
  if (!isName(reader.view(NAME_BYTES))) return undefined;
  reader.skip(LOOK_BYTES);
  const level = reader.u8();
  const job = reader.u16le();
  reader.skip(ABILITY_BYTES + form.points + 2);
  if (hasTable(job, form)) reader.skip(2 * reader.u8());
  else reader.skip(2);
  reader.skip(EXPERIENCE_BYTES);
  const mapId = reader.u32le();
  const portal = reader.u8();
  return level >= 1 && level <= MAX_LEVEL && mapId <= MAX_MAP_ID ? { mapId, portal } : undefined;
}

/** Letters, then zeros up to the end. */
function isName(bytes: Uint8Array): boolean {
  const end = bytes.indexOf(0);
  if (end === 0 || end === -1) return false;
  return bytes.every((byte, at) => (at < end ? byte >= 0x20 : byte === 0));
}

/** Whether the points of skills are a table, a byte of level and a byte of points each, and no number. */
function hasTable(job: number, { hasResistance }: CharacterForm): boolean {
  const isEvan = job === 2001 || Math.floor(job / 100) === 22;
  return isEvan || (hasResistance && Math.floor(job / 1000) === 3);
}
