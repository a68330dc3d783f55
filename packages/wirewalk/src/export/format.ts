/** What an export is: a protocol in, files of text out. */
import type { MessageInfo, PayloadCodec, Protocol, Side } from "../protocols/index.ts";
import type { LayoutNode } from "../wire/index.ts";

/** What is exported: a protocol, or a part of it. */
export interface ExportScope {
  readonly protocol: Protocol;
  /** At least one, each a dialect of the protocol. */
  readonly dialects: readonly string[];
  /** Only the messages that this side sends. */
  readonly sender?: Side;
  /** Only the messages of this name. */
  readonly message?: string;
  /** The lines of this packet stream of the protocol, by its name there, in place of the messages. */
  readonly stream?: string;
  /** Of a stream whose packets differ by revision: its name. Of a game whose messages do: that of `protocol`, for the head of a file. */
  readonly revision?: string;
}

/** A file that an export makes. */
export interface ExportedFile {
  /** Without folders: `slime-online-2.v0106.schema.json`. */
  readonly name: string;
  readonly text: string;
}

/** A description that a format does not have. The message names dialect, message and field, or the protocols that it has. */
export class ExportError extends TypeError {
  override readonly name = "ExportError";
}

/** One format, as the table in `formats.ts` lists it. */
export interface ExportFormat {
  /** On the command line: `json-schema`. */
  readonly name: string;
  /** For help: what the files hold, in a few words. */
  readonly summary: string;
  /** Whether one file holds all dialects. Then the command exports all of them, where none is named; otherwise the default one. */
  readonly holdsAllDialects: boolean;
  /** Whether it describes packet streams whose lines are no messages, such as `osrs/mouse`. */
  readonly describesStreams?: true;
  /**
   * The files, in order. Empty where the scope has no message of this format. Equal scopes give equal bytes. Throws {@link ExportError}
   * for a message, or a protocol, that the format does not have.
   */
  files(scope: ExportScope): readonly ExportedFile[];
}

/** A message of a scope, with the description of its body. */
export interface ScopedMessage extends MessageInfo {
  readonly node: LayoutNode;
}

/** The messages of one dialect that a scope has, in the order of the codec. */
export function messagesOf({ sender, message }: ExportScope, codec: PayloadCodec): readonly ScopedMessage[] {
  return codec.messages.flatMap((info) => {
    const layout = codec.layouts[info.sender][info.message];
    const isChosen =
      (sender === undefined || info.sender === sender) && (message === undefined || info.message === message);
    return isChosen && layout !== undefined ? [{ ...info, node: layout.node }] : [];
  });
}

/** `0x1E`: a message id as the documents write it. */
export function formatId(id: number): string {
  return `0x${id.toString(16).toUpperCase().padStart(2, "0")}`;
}
