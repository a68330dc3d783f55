/** The lines of player info as JSON Schemas. */
import type { JsonObject, JsonValue, LayoutNode } from "../../../wire/index.ts";
import { MAX_PLAYER_INDEX } from "./wire/constants.ts";
import { knownRevisions } from "./wire/masks/named-revisions.ts";

const index: JsonObject = { type: "integer", minimum: 1, maximum: MAX_PLAYER_INDEX };

/** Objects by player: the keys are indices. */
function byPlayer(description: string, value: JsonObject): JsonObject {
  return {
    description,
    type: "object",
    propertyNames: { pattern: "^[1-9][0-9]{0,3}$" },
    additionalProperties: value,
  };
}

const players = byPlayer("The tiles of the players in view, by index: level, x and z.", {
  type: "array",
  items: { type: "integer", minimum: 0, maximum: 16_383 },
  minItems: 3,
  maxItems: 3,
});

/** The mask blocks of a player: of a block that revisions have in different forms, any of these. */
function blocksSchema(schemaOf: (node: LayoutNode) => JsonObject): JsonObject {
  const forms = new Map<string, Map<string, JsonObject>>();
  for (const { blocks } of knownRevisions) {
    for (const block of blocks) {
      const schema = schemaOf(block.node);
      const known = forms.get(block.name) ?? new Map<string, JsonObject>();
      forms.set(block.name, known.set(JSON.stringify(schema), schema));
    }
  }
  const properties = [...forms].map(([name, known]): [string, JsonObject] => {
    const [only, ...others] = known.values();
    return [name, only !== undefined && others.length === 0 ? only : { anyOf: [...known.values()] }];
  });
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

const texts: JsonObject = { type: "array", items: { type: "string" } };

/** By name: the first line of a stream, its packets, and what frames carry. */
export function playerInfoLineSchemas(
  schemaOf: (node: LayoutNode) => JsonObject,
): Readonly<Record<string, JsonObject>> {
  const update: Readonly<Record<string, JsonObject>> = {
    players,
    masks: byPlayer("The mask blocks of players, by index.", blocksSchema(schemaOf)),
    unread: {
      description:
        "in place of masks, with a revision whose blocks are not known: whose masks were not read, and all their bytes",
      ...closed({ players: { type: "array", items: index, minItems: 1 }, bytes: { type: "integer", minimum: 1 } }, [
        "players",
        "bytes",
      ]),
    },
    passBits: {
      description: "bits of each of the four passes",
      type: "array",
      items: { type: "integer", minimum: 0 },
      minItems: 4,
      maxItems: 4,
    },
    wouldCrash: {
      description: "what the real client could not survive",
      type: "array",
      items: closed({ index, path: { type: "string" }, reason: { type: "string" } }, ["index", "path", "reason"]),
    },
    fits: { ...texts, description: "with revision all: the revisions that fit the packet" },
    misfits: {
      description: "with revision all: why the others do not",
      type: "object",
      additionalProperties: { type: "string" },
    },
    fitsAll: { ...texts, description: "with revision all: the revisions that fitted every packet so far" },
  };
  const always = ["players", "passBits"];
  return {
    Initialisation: closed({ observers: { type: "array", items: index, minItems: 1, maxItems: 1 }, players }, [
      "observers",
      "players",
    ]),
    PlayerInfo: closed(update, always),
    FramedPlayerInfo: closed({ message: { const: "playerInfo" }, ...update }, ["message", ...always]),
    FramedInitialisation: closed({ message: { const: "playerInfoInit" } }, ["message"]),
    FramedIndex: closed({ message: { const: "playerIndex" }, index }, ["message", "index"]),
    // Of a revision with a table: the messages that say nothing of players.
    FramedOther: closed({ message: { type: "string" }, value: { type: "object" } }, ["message", "value"]),
  };
}

function closed(properties: Readonly<Record<string, JsonValue>>, required: readonly string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}
