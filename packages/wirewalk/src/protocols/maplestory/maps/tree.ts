/** The client's data as one tree, whatever file it is in: XML, `.nx` or `.wz`. */
import type { MapFiles } from "../../map-files.ts";
import type { Point } from "../wire/messages.ts";

/** A node: its name, a value, and nodes below it. */
export interface TreeNode {
  readonly name: string;
  /**
   * A number that cannot be read as one is its text. Undefined for a directory, for what has no value that maps need (pictures, sounds), and
   * for a point without two numbers.
   */
  readonly value: number | string | Point | undefined;
  /** Of an XML text, from 1. */
  readonly line?: number;
  /** In the order of the file; a name may be there twice. */
  readonly children: readonly TreeNode[];
  /** The first child of that name. */
  child(name: string): TreeNode | undefined;
}

/** Where the images of maps come from. An image is read when it is asked for. */
export interface ImageSource {
  /** `XML`, `.nx`, `.wz`. */
  readonly form: string;
  /** Files that cannot be read, and why: their maps are not known. */
  readonly problems: readonly string[];
  /** Numbers of the maps that it has, ascending. Reads no image. */
  maps(): readonly number[];
  /** Only what {@link wantedParts} names. Undefined where it has none. Throws `MapError` with file, line or offset, and reason. */
  map(id: number): TreeNode | undefined;
  /**
   * An image beside the maps by its path: `Physics.img` of Map.wz, `Mob.wz/0100100.img`, `Skill.wz/MobSkill.img`, `String.wz/Map.img`. With
   * `parts`, children of its root that are not named there need no children of their own. Undefined where it has none. Throws as `map`.
   */
  image(path: string, parts?: ReadonlySet<string>): TreeNode | undefined;
}

/** A kind of files with maps. */
export interface MapForm {
  readonly name: string;
  /** Undefined when the files, by their content, are not of this kind. */
  open(files: MapFiles): ImageSource | undefined;
}

/** Children of a map's root that say something of movement. All others, 80 to 95 % of the bytes, are skipped while reading. */
export const wantedParts: ReadonlySet<string> = new Set([
  "info",
  "life",
  "foothold",
  "ladderRope",
  "portal",
  "seat",
  "swimArea",
]);
