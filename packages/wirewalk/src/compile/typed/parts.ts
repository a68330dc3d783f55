/** The parts of a language's runtime: a file brings those that its code calls, and what these call in turn. */

/** A part: its text, and the names in it that other parts have. */
export type RuntimeParts = Readonly<Record<string, string>>;

/** The texts of the parts that some code needs, in the order of the table. A part is needed where its name stands in the code. */
export function neededParts(parts: RuntimeParts, code: string): readonly string[] {
  const needed = new Set<string>();
  const look = (text: string): void => {
    for (const [name, part] of Object.entries(parts)) {
      if (needed.has(name) || !new RegExp(`\\b${name}\\b`).test(text)) continue;
      needed.add(name);
      look(part);
    }
  };
  look(code);
  return Object.entries(parts).flatMap(([name, text]) => (needed.has(name) ? [text] : []));
}
