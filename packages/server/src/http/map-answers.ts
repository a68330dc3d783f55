/** `GET /maps/WORLD/PLACE`: a place of a world's maps as JSON, for the page that draws it. */
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
    if (maps?.parts === undefined) {
      sendText(request, response, 404, `The world ${world} has no maps for pages`);
      return;
    }
    try {
      // Of an equal map no page needs a second copy, and the map need not be made.
      const digest = maps.digest(place);
      const etag = digest === undefined ? undefined : `"${digest}"`;
      const kept = etag === undefined ? {} : { etag };
      if (etag !== undefined && request.headers["if-none-match"] === etag) {
        response.writeHead(304, { ...kept, "cache-control": "no-cache" }).end();
        return;
      }
      const parts = maps.parts(place);
      if (parts === undefined) {
        sendText(request, response, 404, `The maps of ${world} have no place ${place}`);
        return;
      }
      const type = "application/json; charset=utf-8";
      send(request, response, 200, JSON.stringify(parts), {
        "content-type": type,
        "cache-control": "no-cache",
        ...kept,
      });
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
