/** Breaks lines that are too long, as formatters of languages with braces do. */

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The parts of a text between its commas, but for those within brackets and texts. */
function parts(text: string, separator: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (quote !== "") {
      if (char === "\\") at += 1;
      else if (char === quote) quote = "";
      continue;
    }
    if (char === '"') quote = char;
    else if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (depth === 0 && text.startsWith(separator, at)) {
      found.push(text.slice(from, at).trim());
      from = at + separator.length;
    }
  }
  found.push(text.slice(from).trim());
  return found;
}

/** The last bracket of a line that is closed at its end or near it, and what closes it. */
function lastBracket(line: string): { readonly open: number; readonly close: number } | undefined {
  const stack: number[] = [];
  let best: { readonly open: number; readonly close: number } | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    if (quote !== "") {
      if (char === "\\") at += 1;
      else if (char === quote) quote = "";
      continue;
    }
    if (char === '"') quote = char;
    else if (char in closing && char !== "{") stack.push(at);
    else if (char === ")" || char === "]") {
      const open = stack.pop();
      // The outermost ones are closed last; of several, the longest has most to break.
      if (open !== undefined && stack.length === 0 && (best === undefined || at - open > best.close - best.open))
        best = { open, close: at };
    }
  }
  return best;
}

/**
 * A line in several where it is longer than `width`: broken after the commas of its longest bracket, each part deeper by `deeper`. `closes`:
 * the closing bracket has a line of its own, and a comma stands before it where each part has one.
 */
export function wrapped(line: string, width: number, deeper: string, closes = false): readonly string[] {
  if (line.length <= width || /^\s*(?:\/\/|\*|\/\*|#)/.test(line)) return [line];
  const indent = line.slice(0, line.length - line.trimStart().length);
  const bracket = lastBracket(line);
  if (bracket === undefined || bracket.close - bracket.open < 3) return [line];
  const head = line.slice(0, bracket.open + 1);
  const inside = line.slice(bracket.open + 1, bracket.close);
  const tail = line.slice(bracket.close);
  const [separator] = [",", " ||", " &&"].filter((each) => parts(inside, each).length > 1);
  const list = separator === undefined ? [inside.trim()] : parts(inside, separator);
  const isComma = separator === undefined || separator === ",";
  const items = list.map((part, index) => {
    const isLast = index === list.length - 1;
    if (isComma) return `${part}${isLast ? "" : ","}`;
    return index === 0 ? part : `${separator.trim()} ${part}`;
  });
  const whole = `${indent}${deeper}${items.join(" ")}`;
  if (whole.length + (closes ? 0 : tail.length) <= width)
    return closes ? [head, whole, `${indent}${tail}`] : [head, `${whole}${tail}`];
  const lines = items.flatMap((item, index) => {
    const isLast = index === items.length - 1;
    const comma = isComma && items.length > 1 ? "," : "";
    const end = !isLast ? "" : closes ? comma : tail;
    return wrapped(`${indent}${deeper}${item}${end}`, width, deeper, closes);
  });
  return [head, ...lines, ...(closes ? [`${indent}${tail}`] : [])];
}
