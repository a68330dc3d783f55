/** The names that the packages publish, by subpath: which files they come from, and which of them are types. */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync } from "vite";

/** A published name. */
export interface PublicName {
  readonly name: string;
  readonly isType: boolean;
  /** The file that declares it and its name there: `packages/wirewalk/src/host/host.ts Host`. */
  readonly origin: string;
}

/** The exports of a source file, those of files that it re-exports included. `root` ends in a slash. */
export function publicNames(root: string, file: string): readonly PublicName[] {
  return [...exportsOf(root, file, new Map()).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Exports = ReadonlyMap<string, PublicName>;

function exportsOf(root: string, file: string, known: Map<string, Exports>): Exports {
  const before = known.get(file);
  if (before !== undefined) return before;
  const names = new Map<string, PublicName>();
  known.set(file, names);
  const add = (name: string, isType: boolean, origin = `${file} ${name}`): void => {
    names.set(name, { name, isType, origin });
  };
  const { program, errors } = parseSync(file, readFileSync(`${root}${file}`, "utf8"));
  const [first] = errors;
  if (first !== undefined) throw new SyntaxError(`${file}: ${first.message}`);
  for (const node of program.body) {
    if (node.type === "ExportAllDeclaration") {
      if (node.exported !== null) throw new SyntaxError(`${file}: a namespace is exported`);
      const from = posix.join(posix.dirname(file), node.source.value);
      for (const [name, found] of exportsOf(root, from, known)) names.set(name, found);
    }
    if (node.type !== "ExportNamedDeclaration") continue;
    const { declaration, source, specifiers } = node;
    if (declaration !== null) {
      const isType = declaration.type === "TSInterfaceDeclaration" || declaration.type === "TSTypeAliasDeclaration";
      for (const name of declaredNames(declaration)) add(name, isType);
    }
    const from = source === null ? undefined : posix.join(posix.dirname(file), source.value);
    const theirs = from === undefined ? undefined : exportsOf(root, from, known);
    for (const { local, exported, exportKind } of specifiers) {
      const name = nameOf(exported);
      const found = theirs?.get(nameOf(local));
      const isType = node.exportKind === "type" || exportKind === "type" || found?.isType === true;
      add(name, isType, found?.origin ?? `${from ?? file} ${nameOf(local)}`);
    }
  }
  return names;
}

function nameOf(node: { readonly type: string }): string {
  const { name, value } = node as { readonly name?: string; readonly value?: string };
  return name ?? value ?? "";
}

/** The names of `export const a = …, { b: c } = …`, of a function, a class or a type. */
function declaredNames(declaration: object): readonly string[] {
  const { id, declarations } = declaration as { readonly id?: Pattern; readonly declarations?: { id: Pattern }[] };
  if (declarations !== undefined) return declarations.flatMap((each) => boundNames(each.id));
  return id === undefined ? [] : boundNames(id);
}

interface Pattern {
  readonly type: string;
  readonly name?: string;
  readonly properties?: readonly { readonly value: Pattern }[];
}

function boundNames({ type, name, properties }: Pattern): readonly string[] {
  if (type === "Identifier" && name !== undefined) return [name];
  return (properties ?? []).flatMap(({ value }) => boundNames(value));
}
