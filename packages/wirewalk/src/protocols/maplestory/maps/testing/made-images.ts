/** Images of the client as plain data: the writers of tests make XML, `.nx` and `.wz` files of them. */
import type { Point } from "../../wire/messages.ts";

/** A value with its kind in `.wz` files. */
export type MadeNode =
  | { readonly name: string; readonly kind: "int" | "short" | "long" | "float" | "double"; readonly value: number }
  | { readonly name: string; readonly kind: "string" | "uol"; readonly value: string }
  | { readonly name: string; readonly kind: "vector"; readonly value: Point }
  | { readonly name: string; readonly kind: "null" | "sound" }
  | { readonly name: string; readonly kind: "folder" | "canvas"; readonly children: readonly MadeNode[] }
  | { readonly name: string; readonly kind: "convex"; readonly corners: readonly Point[] };

/** Images by their path in the archive, without its name: `Map/Map1/100000000.img`. */
export type MadeArchive = ReadonlyMap<string, readonly MadeNode[]>;

/** A shorter form for the most frequent kinds: a number is an `int`, or a `double` where it has a fraction; an object is a folder. */
export interface MadeImage {
  readonly [name: string]: number | string | MadePoint | MadeImage;
}

/** A vector. */
export class MadePoint implements Point {
  readonly x: number;
  readonly y: number;

  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}

export function nodesOf(image: MadeImage): readonly MadeNode[] {
  return Object.entries(image).map(([name, value]): MadeNode => {
    if (typeof value === "string") return { name, kind: "string", value };
    if (typeof value === "number") return { name, kind: Number.isInteger(value) ? "int" : "double", value };
    if (value instanceof MadePoint) return { name, kind: "vector", value: { x: value.x, y: value.y } };
    return { name, kind: "folder", children: nodesOf(value) };
  });
}

export function folder(name: string | number, ...children: readonly MadeNode[]): MadeNode {
  return { name: String(name), kind: "folder", children };
}

/** A folder of numbers and texts. */
export function values(name: string | number, members: MadeImage): MadeNode {
  return folder(name, ...nodesOf(members));
}

/** The archives of a client in one, as Data.nx and Data.wz have them. */
export function joinArchives(archives: Readonly<Record<string, MadeArchive>>): MadeArchive {
  return new Map(
    Object.entries(archives).flatMap(([name, archive]) =>
      [...archive].map(([path, nodes]) => [`${name}/${path}`, nodes] as const),
    ),
  );
}
