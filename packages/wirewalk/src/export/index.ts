/**
 * Descriptions for other programs, all made from the layouts that read and write the messages. Pure: text out, no files.
 *
 * ```ts
 * import { exportFormats } from "wirewalk/export";
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 *
 * const [file] = exportFormats.markdown?.files({ protocol: slimeOnline2, dialects: ["v0106"] }) ?? [];
 * file?.name; // => "slime-online-2.md"
 * ```
 *
 * @module
 */
export { ExportError, type ExportedFile, type ExportFormat, type ExportScope } from "./format.ts";
export { exportFormats } from "./formats.ts";
export { messageSchema, streamSchema } from "./json-schema/json-schema.ts";
export { kaitaiSpec } from "./kaitai/kaitai.ts";
export { markdownTables } from "./markdown.ts";
export { type DiagramField, diagramFields, messageDiagram } from "./svg/svg.ts";
export { typescriptCodec } from "./typescript/typescript.ts";
export { wiresharkDissector } from "./wireshark/wireshark.ts";
