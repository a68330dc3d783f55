/** Lines of code with their depth. */
export class Lines {
  readonly list: string[] = [];
  #depth: number;

  constructor(depth = 0) {
    this.#depth = depth;
  }

  add(...lines: readonly string[]): void {
    for (const line of lines) this.list.push(line === "" ? "" : "  ".repeat(this.#depth) + line);
  }

  /** A block: the opening line, what `inside` adds, and the closing line. */
  block(open: string, inside: () => void): void {
    this.blocks([[open, inside]]);
  }

  /** Blocks one after another, as `if` and `else` are. */
  blocks(parts: readonly (readonly [open: string, inside: () => void])[]): void {
    for (const [index, [open, inside]] of parts.entries()) {
      this.add(index === 0 ? open : `} ${open}`);
      this.#depth += 1;
      inside();
      this.#depth -= 1;
    }
    this.add("}");
  }

  toString(): string {
    return this.list.join("\n");
  }
}
