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

export function folder(name: string | number, ...children: readonly MadeNode[]): MadeNode {
  return { name: String(name), kind: "folder", children };
}

/** A folder of numbers and texts. */
export function values(name: string | number, members: Readonly<Record<string, number | string>>): MadeNode {
  const children = Object.entries(members).map(
    ([member, value]): MadeNode =>
      typeof value === "string" ? { name: member, kind: "string", value } : { name: member, kind: "int", value },
  );
  return folder(name, ...children);
}

/** The archives of a client in one, as Data.nx and Data.wz have them. */
export function joinArchives(archives: Readonly<Record<string, MadeArchive>>): MadeArchive {
  return new Map(
    Object.entries(archives).flatMap(([name, archive]) =>
      [...archive].map(([path, nodes]) => [`${name}/${path}`, nodes] as const),
    ),
  );
}
