/**
 * JSON Schema of a dialect's messages as JSON: of the lines that `wirewalk decode` prints, and of what `toJson` of a codec gives.
 *
 * ```ts
 * import { messageSchema } from "wirewalk/export";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const { $defs } = messageSchema({ protocol: slimeOnline2, dialects: ["v0106"] }, "v0106");
 * const { type, minimum, maximum } = $defs.ClientPlayerStop.properties.x;
 * [type, minimum, maximum]; // => ["integer", 0, 65_535]
 * ```
 *
 * @module
 */
import type { Protocol, Side } from "../../protocols/index.ts";
import type { JsonObject } from "../../wire/index.ts";
import { type ExportFormat, type ExportScope, formatId, messagesOf, type ScopedMessage } from "../format.ts";
import { pascalCase } from "../words.ts";
import { constantSchema } from "./constant-schema.ts";
import { sharedSchemas } from "./shared-schemas.ts";
import { valueSchema } from "./value-schema.ts";

/** What every schema says that it is. */
const SCHEMA = "https://json-schema.org/draft/2020-12/schema";

const sides: readonly Side[] = ["client", "server"];

/** Where a line of `decode` says why a packet was refused. */
const refusedLine: JsonObject = {
  description: "A line of decode for a packet that it refuses.",
  type: "object",
  properties: {
    ok: constantSchema(false),
    error: {
      type: "object",
      properties: {
        code: {
          enum: [
            "truncated",
            "trailing",
            "unknown-message",
            "unknown-variant",
            "bad-value",
            "limit",
            "bad-length",
            "bad-hex",
            "bad-checksum",
            "bad-state",
          ],
        },
        message: { type: "string" },
        bitOffset: { description: "in bits from the start of the packet", type: "integer", minimum: 0 },
        path: { description: "the field", type: "string" },
      },
      required: ["code", "message", "bitOffset", "path"],
      additionalProperties: false,
    },
    line: { description: "of the input, from 1", type: "integer", minimum: 1 },
  },
  required: ["ok", "error", "line"],
  additionalProperties: false,
};

const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });

/** `ClientMovePlayer`. */
const nameOf = ({ sender, message }: ScopedMessage): string => pascalCase(sender) + pascalCase(message);

/** One message with its name, as a line of `decode` has it. */
function messageObject(message: ScopedMessage): JsonObject {
  return {
    description: `${message.summary}; ${formatId(message.id)}`,
    type: "object",
    properties: {
      ok: { description: "in lines of decode", ...constantSchema(true) },
      message: { const: message.message },
      value: ref(nameOf(message)),
      note: { description: "what decode noticed of the packet beside its message", type: "string" },
    },
    required: ["message", "value"],
    additionalProperties: false,
  };
}

/** The schema of the messages of one dialect of the scope. */
export function messageSchema(scope: ExportScope, dialect: string): JsonObject {
  const { protocol } = scope;
  const messages = messagesOf(scope, protocol.codec(dialect));
  const senders = sides.filter((side) => messages.some(({ sender }) => sender === side));
  const values = Object.fromEntries(messages.map((message) => [nameOf(message), valueSchema(message.node)]));
  const unions = senders.map((side): [string, JsonObject] => [
    `${pascalCase(side)}Message`,
    {
      description: `A message from the ${side}.`,
      oneOf: messages.filter(({ sender }) => sender === side).map(messageObject),
    },
  ]);
  return {
    $schema: SCHEMA,
    $id: `urn:wirewalk:${protocol.name}:${dialect}`,
    title: `${protocol.title}, dialect ${dialect}`,
    description: "A message as JSON, as wirewalk decode prints it and wirewalk encode takes it.",
    anyOf: [...unions.map(([name]) => ref(name)), ref("RefusedLine")],
    $defs: { ...Object.fromEntries(unions), RefusedLine: refusedLine, ...sharedSchemas(values) },
  };
}

/** The schema of a line with the `ok` that `decode` puts before it. */
function withOk(schema: JsonObject): JsonObject {
  const { properties, ...rest } = schema;
  return {
    ...rest,
    properties: { ok: { description: "in lines of decode", ...constantSchema(true) }, ...(properties as JsonObject) },
  };
}

/** The schema of the lines of a packet stream whose lines are no messages. Throws `RangeError` for another stream. */
export function streamSchema(protocol: Protocol, streamName: string, dialect: string): JsonObject {
  const lines = protocol.streams?.[streamName]?.lineSchemas?.(dialect, valueSchema);
  if (lines === undefined) throw new RangeError(`${protocol.name} has no stream ${streamName} with lines of its own`);
  const schemas = Object.entries(lines).map(([name, schema]): [string, JsonObject] => [name, withOk(schema)]);
  return {
    $schema: SCHEMA,
    $id: `urn:wirewalk:${protocol.name}/${streamName}:${dialect}`,
    title: `${protocol.title}, ${streamName}, dialect ${dialect}`,
    description: "A line of wirewalk decode.",
    anyOf: [...schemas.map(([name]) => ref(name)), ref("RefusedLine")],
    $defs: { RefusedLine: refusedLine, ...sharedSchemas(Object.fromEntries(schemas)) },
  };
}

/** One schema a dialect. */
export const jsonSchema: ExportFormat = {
  name: "json-schema",
  summary: "JSON Schema (2020-12) of the messages as JSON, the output of decode",
  holdsAllDialects: false,
  describesStreams: true,
  files: (scope) =>
    scope.dialects.map((dialect) => {
      const { protocol, stream } = scope;
      const schema = stream === undefined ? messageSchema(scope, dialect) : streamSchema(protocol, stream, dialect);
      return {
        name: `${[protocol.name, ...(stream === undefined ? [] : [stream]), dialect].join(".")}.schema.json`,
        text: `${JSON.stringify(schema, undefined, 2)}\n`,
      };
    }),
};
