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

/** A part of the house that the arrows speak of. `game` and `studio-game` have the game's folder name beside them. */
type Room =
  | "wire"
  | "compile"
  | "motion"
  | "protocols"
  | "world-kit"
  | "game"
  | "table"
  | "inspect"
  | "capture"
  | "export"
  | "host"
  | "net"
  | "client"
  | "node"
  | "testing"
  | "recording"
  | "postgres"
  | "nats"
  | "feed"
  | "playback"
  | "server"
  | "cli"
  | "studio"
  | "studio-game"
  | "docs";

/** A room inside a game's folder. Files that stand beside these rooms (`index.ts`, `<game>.ts`) are in none. */
type GameRoom = "wire" | "maps" | "movement" | "world" | "bots";

interface Place {
  readonly room: Room;
  readonly game?: string;
  /** A part of a game that has rooms of its own, as `osrs/mouse`. */
  readonly part?: string;
  readonly gameRoom?: GameRoom;
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
  // It knows descriptions, not games: what it makes imports `wire/compiled/` alone.
  compile: { to: ["wire"], tests: ["protocols", "game", "table"] },
  motion: { to: ["wire"] },
  protocols: { to: ["wire", "motion"], tests: ["world-kit", "game", "table", "net", "host"] },
  "world-kit": { to: ["wire", "motion", "protocols"] },
  game: { to: ["wire", "motion", "protocols", "world-kit"], tests: ["inspect", "host", "net"] },
  table: { to: ["protocols", "game"] },
  inspect: { to: ["wire", "motion", "protocols"], tests: ["game", "table"] },
  capture: { to: ["wire", "protocols"], tests: ["motion", "host", "net", "game", "table", "inspect"] },
  // Dissectors need the keys and the limits of a game's carrier.
  // The vectors of codecs in other languages are made up from a seed of `motion`.
  export: { to: ["wire", "motion", "compile", "protocols", "game"], tests: ["table", "inspect", "capture"] },
  host: { to: ["wire", "motion", "protocols"], tests: ["game", "table", "net"] },
  net: { to: ["wire"], tests: ["motion"] },
  client: { to: [...pure, "net"], tests: ["game", "table", "node"] },
  node: { to: ["wire", "net"], types: ["client"], tests: ["motion", "protocols", "client", "game", "table"] },
  testing: { to: [], tests: [...pure, "game", "table", "inspect", "net", "client", "node"] },
  recording: { to: [...pure, "world-kit", "capture"], tests: ["game", "table", "net", "testing"] },
  // Adapters know the port alone.
  postgres: { to: ["wire", "net"] },
  nats: { to: ["wire", "net"] },
  // A page plays a file by these two, without a server.
  feed: { to: ["wire", "motion", "protocols", "net"] },
  playback: { to: ["wire", "motion", "protocols", "net", "recording", "feed"], tests: ["table"] },
  server: {
    to: [...pure, "table", "capture", "net", "node", "recording", "feed", "playback"],
    tests: ["game", "client"],
  },
  cli: {
    to: [
      ...pure,
      "table",
      "inspect",
      "capture",
      "export",
      "net",
      "client",
      "node",
      "recording",
      "postgres",
      "nats",
      "server",
      "feed",
    ],
    tests: ["game"],
  },
  studio: {
    to: [...pure, "table", "inspect", "capture", "export", "net", "client", "recording", "playback", "studio-game"],
    types: ["feed"],
    tests: ["game", "feed", "recording", "server", "node"],
  },
  // It takes the page's builder: both are built the same way.
  docs: { to: ["protocols", "table", "export", "studio"] },
  "studio-game": { to: [...pure, "inspect", "net", "client", "game", "studio"], types: ["feed"], tests: ["table"] },
};

/** Rooms of the library, which has no dependency. */
const libraryRooms: ReadonlySet<Room> = new Set([
  ...pure,
  "compile",
  "world-kit",
  "game",
  "table",
  "inspect",
  "capture",
  "export",
  "net",
  "client",
  "node",
  "testing",
]);

/** What each room of a game may import of the same game. The files beside the rooms may import all of it. */
const gameArrows: Readonly<Record<GameRoom, readonly GameRoom[]>> = {
  wire: ["wire"],
  maps: ["wire", "maps"],
  movement: ["wire", "maps", "movement"],
  world: ["wire", "maps", "movement", "world"],
  bots: ["wire", "maps", "movement", "bots"],
};

const parsed = new Map<string, { readonly source: string; readonly sites: readonly ImportSite[] }>();

/** The imports of one source file in the order of their lines. Throws for a file that does not parse. */
export function importsOf(file: string, source: string): readonly ImportSite[] {
  // The rules ask one after the other: parsing all files takes most of their time.
  const known = parsed.get(file);
  if (known?.source === source) return known.sites;
  const sites = parseImports(file, source);
  parsed.set(file, { source, sites });
  return sites;
}

/** What a file has that has imports elsewhere than in statements. */
const expressions = /\bimport\s*\(|\bnew\s+URL\b/;

function parseImports(file: string, source: string): readonly ImportSite[] {
  const result = parseSync(file, source);
  const first = result.errors[0];
  if (first !== undefined) throw new SyntaxError(`${file}: ${first.message}`);
  const sites: ImportSite[] = [];
  const add = (node: { readonly value: unknown; readonly start: number } | null, typeOnly: boolean): void => {
    if (node === null || typeof node.value !== "string") return;
    sites.push({ specifier: node.value, line: source.slice(0, node.start).split("\n").length, typeOnly });
  };
  const { staticImports, staticExports } = result.module;
  for (const { moduleRequest, start, end, entries } of staticImports) {
    const allTypes = entries.length > 0 && entries.every(({ isType }) => isType);
    add(moduleRequest, allTypes || /^import\s+type\s*\{/.test(source.slice(start, end)));
  }
  for (const { start, end, entries } of staticExports) {
    const from = entries[0]?.moduleRequest ?? null;
    // What was imported by another statement is exported here: that one is the import.
    if (from === null || !source.startsWith("export", start)) continue;
    add(from, /^export\s+type\b/.test(source.slice(start, end)));
  }
  // Making the program takes as long as parsing: only for files that need it.
  if (expressions.test(source)) {
    new Visitor({
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
    }).visit(result.program);
  }
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
      if (folder === undefined || folder === "testing") return { room };
      if (folder === "world-kit") return { room: folder };
      return { room: "game", game: folder, ...placeInGame(file) };
    }
    return room !== undefined && libraryRooms.has(room as Room) ? { room: room as Room } : undefined;
  }
  if (file.startsWith("packages/recording/")) return { room: "recording" };
  if (file.startsWith("packages/postgres/")) return { room: "postgres" };
  if (file.startsWith("packages/nats/")) return { room: "nats" };
  if (file.startsWith("packages/server/src/feed/")) return { room: "feed" };
  if (file.startsWith("packages/server/src/playback/")) return { room: "playback" };
  if (file.startsWith("packages/server/")) return { room: "server" };
  if (file.startsWith("packages/cli/")) return { room: "cli" };
  const studioGame = /^apps\/studio\/src\/games\/([^/]+)\//.exec(file)?.[1];
  if (studioGame !== undefined) return { room: "studio-game", game: studioGame };
  if (file.startsWith("apps/studio/")) return { room: "studio" };
  if (file.startsWith("apps/docs/")) return { room: "docs" };
  return undefined;
}

/** Where a file is in its game's folder: `osrs/mouse/wire/codec.ts` is in room `wire` of part `mouse`. */
function placeInGame(file: string): Pick<Place, "part" | "gameRoom"> {
  const isRoom = (folder: string): folder is GameRoom => Object.hasOwn(gameArrows, folder);
  const [first, ...inner] = posix.dirname(file).split("/").slice(5);
  if (first === undefined || first === "testing") return {};
  if (isRoom(first)) return { gameRoom: first };
  const gameRoom = inner.find(isRoom);
  return { part: first, ...(gameRoom === undefined ? {} : { gameRoom }) };
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
    target = targetOf(file, specifier, workspace) ?? specifier;
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
  if (room === to.room && from.game === to.game) return test ? undefined : objectionInGame(from, to, target);
  if (from.game !== undefined && to.game !== undefined && from.game !== to.game)
    return `${arrow}: games do not know each other`;
  const allowed = arrows[room];
  if (!allowed.to.includes(to.room) && !(test && allowed.tests?.includes(to.room))) {
    if (!allowed.types?.includes(to.room)) return `${arrow}: wrong direction`;
    return typeOnly ? undefined : `${arrow}: only types may be imported`;
  }
  return undefined;
}

/** Why a file of a game may not import another file of that game. */
function objectionInGame(from: Place, to: Place, target: string): string | undefined {
  const { game, part, gameRoom } = from;
  if (part !== undefined && to.part !== undefined && part !== to.part) {
    return `${game} ${part} -> ${game} ${to.part}: parts of a game do not know each other`;
  }
  if (gameRoom === undefined) return undefined;
  const arrow = `${game} ${gameRoom} -> ${game} ${to.gameRoom ?? target.split("/").at(-1)}`;
  if (to.gameRoom === undefined) return `${arrow}: a room does not import the files beside the rooms`;
  return gameArrows[gameRoom].includes(to.gameRoom) ? undefined : `${arrow}: wrong direction`;
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

/** The source file that an import reaches in the workspace; undefined for packages from outside and unknown names. */
function targetOf(file: string, specifier: string, workspace: WorkspaceExports): string | undefined {
  return specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : workspace.get(specifier);
}

/**
 * Circles of files that import each other, type-only imports included, as `a.ts -> b.ts -> a.ts`. Every file that can
 * reach itself is in one of them. `sources` holds the files by path, relative to the root of the workspace.
 */
export function fileCircles(sources: ReadonlyMap<string, string>, workspace: WorkspaceExports): readonly string[] {
  const imports = new Map<string, readonly string[]>();
  for (const [file, source] of sources) {
    const targets = importsOf(file, source).map(({ specifier }) => targetOf(file, specifier, workspace));
    imports.set(
      file,
      targets.filter((target): target is string => target !== undefined && sources.has(target)),
    );
  }
  const circles: string[] = [];
  const inCircle = new Set<string>();
  for (const file of [...sources.keys()].sort()) {
    if (inCircle.has(file)) continue;
    const circle = shortestCircle(file, imports);
    if (circle === undefined) continue;
    for (const each of circle) inCircle.add(each);
    circles.push(circle.join(" -> "));
  }
  return circles;
}

/** The shortest way along the imports from a file back to itself, with the file at both ends. */
function shortestCircle(start: string, imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const target of imports.get(file) ?? []) {
      if (target === start) {
        const way = [start];
        for (let at: string | undefined = file; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
        return way;
      }
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, file);
      queue.push(target);
    }
  }
  return undefined;
}
