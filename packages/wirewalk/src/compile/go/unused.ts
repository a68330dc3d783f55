/** Go refuses a local that nothing asks for: lines without these. */

const declared = /^\t*(?:var (\w+) |(\w+)((?:, \w+)*) := )/;

const depthOf = (line: string): number => line.length - line.trimStart().length;

/** Whether a line looks at a local: to give it a value alone is not that. */
function asks(line: string, name: string): boolean {
  const code = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const own = new RegExp(`^\\t*${name} = `).test(code) ? code.slice(code.indexOf(" = ")) : code;
  return new RegExp(`(?<![.\\w])${name}\\b`).test(own);
}

/** The lines without the locals that none of them asks for. What a call gives beside others becomes a blank. */
export function withoutUnused(lines: readonly string[]): readonly string[] {
  const out = [...lines];
  // From the last to the first: what one local was made of may not be asked for either.
  for (let at = out.length - 1; at >= 0; at--) {
    const line = out[at] as string;
    const [head = "", variable, first = "", others = ""] = declared.exec(line) ?? [];
    const name = variable ?? first;
    if (name === "" || /^\t*for /.test(line)) continue;
    let end = at + 1;
    while (end < out.length && depthOf(out[end] as string) >= depthOf(line)) end += 1;
    if (out.slice(at + 1, end).some((each) => asks(each, name))) continue;
    if (others !== "") {
      // Both others are results of the function: they need no declaration.
      out[at] = line.replace(head, `${"\t".repeat(depthOf(line))}_${others} = `);
      continue;
    }
    const kept = out.slice(at + 1, end).filter((each) => !new RegExp(`^\\t*${name} = `).test(each));
    out.splice(at, end - at, ...kept);
  }
  return out;
}
