/** What tshark's output `-T pdml` says of a protocol's messages. */

/** A field of a message. */
export interface ShownField {
  /** Without the name of the protocol: `movePlayer.x`. */
  readonly path: string;
  /** The value. */
  readonly show: string;
  /** The line of the tree: `Code: rightPress (2)`. */
  readonly line: string;
  /** The bytes in hex. */
  readonly hex: string;
}

/** A message, or what was refused. */
export interface ShownMessage {
  readonly fields: readonly ShownField[];
  /** The line in the tree. */
  readonly line: string;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#x27": "'" };

function unescaped(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => {
    if (/^#x[0-9a-f]+$/i.test(name)) return String.fromCharCode(Number.parseInt(name.slice(2), 16));
    return entities[name] ?? whole;
  });
}

function attribute(line: string, name: string): string {
  const found = new RegExp(` ${name}="([^"]*)"`).exec(line)?.[1];
  return found === undefined ? "" : unescaped(found);
}

/** The messages of a protocol in the order of the capture. */
export function messagesIn(pdml: string, protocol: string): readonly ShownMessage[] {
  const messages: ShownMessage[] = [];
  const begin = `<proto name="${protocol}"`;
  const prefix = `<field name="${protocol}.`;
  let fields: ShownField[] | undefined;
  // A text may hold line feeds.
  for (const line of pdml.split(/\n(?=\s*<)/)) {
    const start = line.indexOf("<");
    if (line.startsWith(begin, start)) {
      fields = [];
      messages.push({ fields, line: attribute(line, "showname") });
    } else if (line.startsWith("</proto>", start)) fields = undefined;
    else if (fields !== undefined && line.startsWith(prefix, start)) {
      fields.push({
        path: attribute(line, "name").slice(protocol.length + 1),
        show: attribute(line, "show"),
        line: attribute(line, "showname"),
        hex: attribute(line, "value"),
      });
    }
  }
  return messages;
}
