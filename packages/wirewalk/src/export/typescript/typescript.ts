/**
 * Readers and writers in TypeScript, generated from the descriptions: straight-line code for each message, and its types.
 *
 * ```ts
 * import { typescriptCodec } from "wirewalk/export";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const text = typescriptCodec({ protocol: slimeOnline2, dialects: ["v0106"], sender: "client", message: "playerStop" });
 * text.includes("export type PlayerStop = { x: number; y: number };"); // => true
 * ```
 *
 * @module
 */
import { typescriptModule } from "../../compile/typescript/module.ts";
import type { Protocol } from "../../protocols/index.ts";
import type { DialectNode } from "../../wire/index.ts";
import { ExportError, type ExportFormat, type ExportScope, messagesOf } from "../format.ts";

/** Where generated modules import what they share from. */
const RUNTIME = "wirewalk/compiled";

/** The messages of a scope as descriptions, dialect by dialect. */
export function dialectNodes(scope: ExportScope): readonly DialectNode[] {
  return scope.dialects.map((dialect) => {
    const codec = scope.protocol.codec(dialect);
    const { name, node, format } = codec.id;
    return {
      dialect,
      idName: name,
      id: node,
      ...(format === undefined ? {} : { idFormat: format }),
      messages: messagesOf(scope, codec),
    };
  });
}

/** All dialects of a protocol. */
export function wholeScope(protocol: Protocol): ExportScope {
  return { protocol, dialects: protocol.dialects.map(({ name }) => name) };
}

/** The module of some dialects of a protocol. */
function moduleOf({ name, title }: Protocol, dialects: readonly DialectNode[]): string {
  return typescriptModule({ title, dialects, runtime: RUNTIME, madeBy: `npx wirewalk export typescript ${name}` });
}

/** The module of a scope. Throws {@link ExportError} for a description that cannot be compiled. */
export function typescriptCodec(scope: ExportScope): string {
  const { protocol } = scope;
  const dialects = dialectNodes(scope);
  try {
    return moduleOf(protocol, dialects);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refusalOf(protocol, dialects) ?? error;
  }
}

/** The error of the first message that cannot be compiled: the compiler names its field, and knows neither dialect nor message. */
function refusalOf(protocol: Protocol, dialects: readonly DialectNode[]): ExportError | undefined {
  for (const dialect of dialects) {
    for (const message of dialect.messages) {
      try {
        moduleOf(protocol, [{ ...dialect, messages: [message] }]);
      } catch (cause) {
        if (!(cause instanceof TypeError)) throw cause;
        return new ExportError(`${dialect.dialect} ${message.message}: ${cause.message}`, { cause });
      }
    }
  }
  return undefined;
}

export const typescript: ExportFormat = {
  name: "typescript",
  summary: "a module that reads and writes the messages, with their types",
  holdsAllDialects: true,
  files(scope) {
    const hasMessages = dialectNodes(scope).some(({ messages }) => messages.length > 0);
    return hasMessages ? [{ name: `${scope.protocol.name}.ts`, text: typescriptCodec(scope) }] : [];
  },
};
