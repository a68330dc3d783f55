/**
 * The house's import directions, as a table: who may import whom. `import-directions.test.ts` holds every source file
 * to it; TypeScript's project references hold the coarser half of it (pure, net, node) a second time.
 */
import { posix } from "node:path";
import { parseSync, Visitor } from "vite";

/** One import of a file: static, type-only, dynamic, a re-export, an `import("…")` type or a `new URL("…")` of a worker. */
export interface ImportSite {
  readonly specifier: string;
  /** Counted from 1. */
  readonly line: number;
  readonly typeOnly: boolean;
}

/** Source file by specifier, for the packages of the workspace: `wirewalk/wire` → `packages/wirewalk/src/wire/index.ts`. */
export type WorkspaceExports = ReadonlyMap<string, string>;

/** A part of the house that the arrows speak of. `game` and `studio-game` come with the game's folder name. */
type Room =
  | "wire"
  | "motion"
  | "protocols"
  | "game"
  | "table"
  | "host"
  | "net"
  | "client"
  | "node"
  | "testing"
  | "feed"
  | "server"
  | "cli"
  | "studio"
  | "studio-game";

interface Place {
  readonly room: Room;
  readonly game?: string;
}

interface Arrows {
  readonly to: readonly Room[];
  /** Only the types of these. */
  readonly types?: readonly Room[];
  /** What tests and `testing/` may use beside: a fixture or the other end of a wire, never a room on top. */
  readonly tests?: readonly Room[];
}

const pure = ["wire", "motion", "protocols", "host"] as const;

/** A room may always import itself (a game: only itself). What is not in the table is a wrong direction. */
const arrows: Readonly<Record<Room, Arrows>> = {
  wire: { to: [] },
  motion: { to: ["wire"] },
  protocols: { to: ["wire", "motion"], tests: ["game", "table"] },
  game: { to: ["wire", "motion", "protocols"], tests: ["host", "net"] },
  table: { to: ["protocols", "game"] },
  host: { to: ["wire", "motion", "protocols"], tests: ["game", "table", "net"] },
  net: { to: ["wire"], tests: ["motion"] },
  client: { to: [...pure, "net"], tests: ["game", "table", "node"] },
  node: { to: ["wire", "net"], types: ["client"], tests: ["motion", "protocols", "client", "game", "table"] },
  testing: { to: [], tests: [...pure, "game", "table", "net", "client", "node"] },
  feed: { to: [], types: ["wire", "motion"] },
  server: { to: [...pure, "table", "net", "node", "feed"], tests: ["game", "client"] },
  cli: { to: [...pure, "table", "net", "client", "node", "server", "feed"], tests: ["game"] },
  studio: {
    to: [...pure, "table", "net", "client", "studio-game"],
    types: ["feed"],
    tests: ["game", "feed", "server"],
  },
  "studio-game": { to: [...pure, "net", "client", "game", "studio"], types: ["feed"], tests: ["table"] },
};

/** Rooms of the library, which has no dependency. */
const libraryRooms: ReadonlySet<Room> = new Set([...pure, "game", "table", "net", "client", "node", "testing"]);

/** The imports of one source file in the order of their lines. Throws for a file that does not parse. */
export function importsOf(file: string, source: string): readonly ImportSite[] {
  const { program, errors } = parseSync(file, source);
  const first = errors[0];
  if (first !== undefined) throw new SyntaxError(`${file}: ${first.message}`);
  const sites: ImportSite[] = [];
  const add = (node: { readonly value: unknown; readonly start: number } | null, typeOnly: boolean): void => {
    if (node === null || typeof node.value !== "string") return;
    sites.push({ specifier: node.value, line: source.slice(0, node.start).split("\n").length, typeOnly });
  };
  new Visitor({
    ImportDeclaration: (node) => {
      const allTypes =
        node.specifiers.length > 0 &&
        node.specifiers.every((each) => each.type === "ImportSpecifier" && each.importKind === "type");
      add(node.source, node.importKind === "type" || allTypes);
    },
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ImportExpression: (node) => {
      const { source: from } = node;
      if (from.type === "Literal") add({ value: from.value, start: from.start }, false);
      else if (from.type === "TemplateLiteral" && from.expressions.length === 0) {
        add({ value: from.quasis[0]?.value.cooked, start: from.start }, false);
      } else add({ value: source.slice(from.start, from.end), start: from.start }, false);
    },
    TSImportType: (node) => add(node.source, true),
    NewExpression: (node) => {
      const [path, base] = node.arguments;
      if (node.callee.type !== "Identifier" || node.callee.name !== "URL" || base === undefined) return;
      if (path?.type !== "Literal" || source.slice(base.start, base.end) !== "import.meta.url") return;
      if (typeof path.value === "string" && /\.tsx?$/.test(path.value))
        add({ value: path.value, start: path.start }, false);
    },
  }).visit(program);
  return sites.sort((a, b) => a.line - b.line);
}

/** Tests and what serves only them: `*.test.ts` and `testing/`. */
export function isTestFile(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.includes("/testing/") || /^apps\/[^/]+\/test\//.test(file);
}

function placeOf(file: string): Place | undefined {
  const library = /^packages\/wirewalk\/src\/([^/]+)\/(?:([^/]+)\/)?/.exec(file);
  if (library !== null) {
    const [, room, folder] = library;
    if (room === "protocols") {
      if (file === "packages/wirewalk/src/protocols/table.ts") return { room: "table" };
      const isShared = folder === undefined || folder === "testing" || folder === "world-kit";
      return isShared ? { room } : { room: "game", game: folder };
    }
    return room !== undefined && libraryRooms.has(room as Room) ? { room: room as Room } : undefined;
  }
  if (file === "packages/server/src/feed.ts") return { room: "feed" };
  if (file.startsWith("packages/server/")) return { room: "server" };
  if (file.startsWith("packages/cli/")) return { room: "cli" };
  const studioGame = /^apps\/studio\/src\/games\/([^/]+)\//.exec(file)?.[1];
  if (studioGame !== undefined) return { room: "studio-game", game: studioGame };
  if (file.startsWith("apps/studio/")) return { room: "studio" };
  return undefined;
}

/** `game slime-online-2`, `server`. */
function placeName(place: Place): string {
  return place.game === undefined ? place.room : `${place.room} ${place.game}`;
}

/** The package (or app) folder of a file: `packages/server`. */
function packageOf(file: string): string {
  return file.split("/").slice(0, 2).join("/");
}

/** Why the import may not be, in words; undefined when it may. */
function objection(file: string, from: Place, site: ImportSite, workspace: WorkspaceExports): string | undefined {
  const { specifier, typeOnly } = site;
  const test = isTestFile(file);
  let target: string;
  if (specifier.startsWith(".")) {
    target = posix.join(posix.dirname(file), specifier);
    // Suites that several packages' tests share are not published, so they have no name.
    if (packageOf(target) !== packageOf(file) && !(test && target.includes("/testing/"))) {
      return `${placeName(from)} -> ${target}: a package is imported by its name`;
    }
  } else if (/^(?:@wirewalk\/|wirewalk(?:\/|$))/.test(specifier)) {
    if (libraryRooms.has(from.room)) return `${placeName(from)} -> ${specifier}: the library imports itself by path`;
    const source = workspace.get(specifier);
    if (source === undefined) return `${placeName(from)} -> ${specifier}: no such export`;
    target = source;
  } else {
    if (!libraryRooms.has(from.room) || test) return undefined;
    if (from.room === "node" && specifier.startsWith("node:")) return undefined;
    return `${placeName(from)} -> ${specifier}: the library has no dependency`;
  }

  const to = placeOf(target);
  if (to === undefined) return `${placeName(from)} -> ${target}: belongs to no room`;
  const arrow = `${placeName(from)} -> ${placeName(to)}`;
  if (!test && isTestFile(target)) return `${arrow}: ${target} is for tests alone`;
  // What several rooms' tests share stands on top of the library.
  if (to.room === "testing") return undefined;
  const { room } = from;
  if (room === to.room && from.game === to.game) return undefined;
  if (from.game !== undefined && to.game !== undefined && from.game !== to.game)
    return `${arrow}: games do not know each other`;
  const allowed = arrows[room];
  if (!allowed.to.includes(to.room) && !(test && allowed.tests?.includes(to.room))) {
    if (!allowed.types?.includes(to.room)) return `${arrow}: wrong direction`;
    return typeOnly ? undefined : `${arrow}: only types may be imported`;
  }
  return undefined;
}

/**
 * The wrong imports of one file, one sentence each: `path:line: from -> to: why (specifier)`.
 * `file` is relative to the root of the workspace, with forward slashes.
 */
export function wrongImports(file: string, source: string, workspace: WorkspaceExports): readonly string[] {
  const from = placeOf(file);
  if (from === undefined) return [`${file}:1: belongs to no room`];
  return importsOf(file, source).flatMap((site) => {
    const why = objection(file, from, site, workspace);
    return why === undefined ? [] : [`${file}:${site.line}: ${why} ("${site.specifier}")`];
  });
}
