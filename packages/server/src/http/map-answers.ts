/** `GET /maps/WORLD/PLACE`: a place of a world's maps as JSON, for the page that draws it; status 204 where the world has no such place. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { MapError, type WorldMaps } from "wirewalk/protocol";

const PREFIX = "/maps/";
/** Names of worlds and places; those of games are shorter. */
const MAX_NAME_LENGTH = 64;

/** Answers for a path under `/maps/`. Who may ask is checked before. */
export type MapAnswer = (path: string, request: IncomingMessage, response: ServerResponse) => void;

/** Whether a path is of a map. */
export function isMapPath(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** `mapsOf` gives the maps of a world by its name; undefined where it has none. */
export function mapAnswer(mapsOf: (world: string) => WorldMaps | undefined): MapAnswer {
  return (path, request, response) => {
    const [world, place] = namesIn(path) ?? [];
    const maps = world === undefined ? undefined : mapsOf(world);
    if (world === undefined || place === undefined) {
      sendText(request, response, 404, "A map is at /maps/WORLD/PLACE");
      return;
    }
    try {
      const parts = maps?.parts?.(place);
      // No error: most worlds have no maps, and a browser complains to its user of each answer with an error.
      if (parts === undefined) response.writeHead(204, { "cache-control": "no-store" }).end();
      else sendParts(request, response, JSON.stringify(parts));
    } catch (error) {
      // The server goes on without the rules of this place.
      if (!(error instanceof MapError)) throw error;
      sendText(request, response, 422, error.message);
    }
  };
}

/** World and place of a path; undefined for any other path. */
function namesIn(path: string): readonly [world: string, place: string] | undefined {
  const parts = path.slice(PREFIX.length).split("/");
  if (parts.length !== 2) return undefined;
  const [world = "", place = ""] = parts.map(decoded);
  const isName = (name: string): boolean => name.length > 0 && name.length <= MAX_NAME_LENGTH;
  return isName(world) && isName(place) ? [world, place] : undefined;
}

/** Empty for what cannot be decoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** A page that has the same keeps it. The digest of a place does not cover names for people, which are drawn. */
function sendParts(request: IncomingMessage, response: ServerResponse, text: string): void {
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  const headers = { etag, "cache-control": "no-cache" };
  if (request.headers["if-none-match"] === etag) response.writeHead(304, headers).end();
  else send(request, response, 200, text, { ...headers, "content-type": "application/json; charset=utf-8" });
}

function sendText(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  send(request, response, status, `${text}\n`, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
  });
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  const body = Buffer.from(text);
  response.writeHead(status, { ...headers, "content-length": body.length });
  response.end(request.method === "HEAD" ? undefined : body);
}
