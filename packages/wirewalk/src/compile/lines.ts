/** Lines of code with their depth. */
export class Lines {
  readonly list: string[] = [];
  readonly #indent: string;
  #depth: number;

  /** `indent`: what stands before a line for each level of depth. */
  constructor(depth = 0, indent = "  ") {
    this.#depth = depth;
    this.#indent = indent;
  }

  add(...lines: readonly string[]): void {
    for (const line of lines) this.list.push(line === "" ? "" : this.#indent.repeat(this.#depth) + line);
  }

  /** A block: the opening line, what `inside` adds, and the closing line. */
  block(open: string, inside: () => void, close = "}"): void {
    this.add(open);
    this.indented(inside);
    this.add(close);
  }

  /** Blocks one after another, as `if` and `else` are. */
  blocks(parts: readonly (readonly [open: string, inside: () => void])[]): void {
    for (const [index, [open, inside]] of parts.entries()) {
      this.add(index === 0 ? open : `} ${open}`);
      this.indented(inside);
    }
    this.add("}");
  }

  /** What `inside` adds, one level deeper. */
  indented(inside: () => void): void {
    this.#depth += 1;
    inside();
    this.#depth -= 1;
  }

  toString(): string {
    return this.list.join("\n");
  }
}
