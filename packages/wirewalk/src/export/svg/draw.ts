/** Blocks as an SVG picture: 32 bits a row, each field as wide as its bits. */
import { type Block, cellsOf, type FieldBlock, type GroupBlock, type LongBlock } from "./blocks.ts";

const BITS = 32;
/** Pixels. */
const BIT = 22;
const ROW = 40;
const INDENT = 12;
const MARGIN = 14;
const LINE = 16;
/** The width of a character of the font as a share of its size: monospaced fonts have 0.55 to 0.602. */
const ADVANCE = 0.61;
const NAME_SIZE = 12;
const DETAIL_SIZE = 10;

const ROW_WIDTH = BITS * BIT;

/** Styles: the page's own colour when it is part of a page, and one for light and dark when it is a picture. */
const style = [
  ".wirewalk-bits{color:#1f2328;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}",
  "@media(prefers-color-scheme:dark){.wirewalk-bits{color:#e6edf3}}",
  ".wirewalk-bits text{fill:currentColor}",
  ".wirewalk-bits .cell{fill:currentColor;fill-opacity:.05;stroke:currentColor;stroke-width:1}",
  ".wirewalk-bits .unused{fill-opacity:.16}",
  ".wirewalk-bits .long{stroke-dasharray:5 3}",
  ".wirewalk-bits .group{fill:none;stroke:currentColor;stroke-opacity:.6;stroke-dasharray:2 3}",
  ".wirewalk-bits .repeat{stroke-dasharray:none;stroke-width:2}",
  ".wirewalk-bits .detail{font-size:10px;fill-opacity:.8}",
  ".wirewalk-bits .name,.wirewalk-bits .title{font-size:12px}",
  ".wirewalk-bits .title{font-weight:600}",
].join("");

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function widthOf(text: string, size: number): number {
  return text.length * size * ADVANCE;
}

function fits(text: string, size: number, width: number): boolean {
  return widthOf(text, size) + 6 <= width;
}

/** The text in lines that are not wider than so many pixels, broken between words. */
function wrapped(text: string, size: number, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(`${last} ${word}`, size) > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** A piece of a field in one row. */
interface Piece {
  readonly field: FieldBlock;
  readonly row: number;
  readonly from: number;
  readonly bits: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** What is written about a picture: its title and, for those who do not see it, what it shows. */
export interface Caption {
  /** Of the elements, unlike those of other pictures on the same page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** The picture. Equal blocks give equal bytes. */
export function drawBlocks(blocks: readonly Block[], { id, title, description }: Caption): string {
  const picture = new Picture(blocks);
  const depth = depthOf(blocks);
  const left = MARGIN + depth * INDENT;
  let y = picture.ruler(left, MARGIN);
  y = picture.blocks(blocks, left, y);
  const width = 2 * left + ROW_WIDTH;
  const height = y + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="wirewalk-bits" role="img" aria-labelledby="${id}-title ${id}-desc"`,
    ` width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n`,
    `<title id="${id}-title">${escapeXml(title)}</title>\n<desc id="${id}-desc">${escapeXml(description)}</desc>\n`,
    `<style>${style}</style>\n${picture.elements.join("\n")}\n</svg>\n`,
  ].join("");
}

function depthOf(blocks: readonly Block[]): number {
  return Math.max(0, ...blocks.map((block) => (block.kind === "group" ? 1 + depthOf(block.blocks) : 0)));
}

class Picture {
  readonly elements: string[] = [];
  /** The number of each field, by which a page knows which cells belong to which row of a table. */
  readonly #numbers: ReadonlyMap<Block, number>;
  /** Letters given to fields whose cell is too narrow for their name. */
  #keys = 0;

  constructor(blocks: readonly Block[]) {
    this.#numbers = new Map(cellsOf(blocks).map(({ block }, number) => [block, number]));
  }

  /** The numbers of the bits over the first row. */
  ruler(x: number, y: number): number {
    for (let bit = 0; bit < BITS; bit += 8) this.#text("detail", x + bit * BIT + 2, y + 10, `bit ${bit}`, "start");
    this.#text("detail", x + ROW_WIDTH - 2, y + 10, String(BITS - 1), "end");
    return y + LINE;
  }

  /** Draws from the top `y` on; gives the bottom. */
  blocks(blocks: readonly Block[], x: number, top: number): number {
    let y = top;
    let run: FieldBlock[] = [];
    const endRun = (): void => {
      if (run.length > 0) y = this.#rows(run, x, y);
      run = [];
    };
    for (const block of blocks) {
      if (block.kind === "field") {
        run.push(block);
        continue;
      }
      endRun();
      if (block.kind === "note") {
        for (const line of wrapped(block.text, DETAIL_SIZE, ROW_WIDTH)) {
          this.#text("detail", x + 2, y + 12, line, "start");
          y += LINE;
        }
      } else if (block.kind === "long") {
        this.#cell(x, y, ROW_WIDTH, "cell long", block);
        this.#label(x, y, ROW_WIDTH, block.name, block.detail);
        y += ROW;
      } else {
        y = this.#group(block, x, y);
      }
    }
    endRun();
    return y;
  }

  /** A frame that is further out the more groups it holds, so that the bits of all stand below each other. */
  #group({ title, style, blocks }: GroupBlock, x: number, top: number): number {
    const out = INDENT * (1 + depthOf(blocks)) - 4;
    let y = top + 8;
    for (const line of wrapped(title, NAME_SIZE, ROW_WIDTH)) {
      this.#text("title", x, y + 14, line, "start");
      y += LINE;
    }
    const bottom = this.blocks(blocks, x, y + 4) + 4;
    const name = style === "repeat" ? "group repeat" : "group";
    const [width, height] = [ROW_WIDTH + 2 * out, bottom - top - 6];
    this.elements.push(
      `<rect class="${name}" x="${x - out}" y="${top + 6}" width="${width}" height="${height}" rx="4"/>`,
    );
    return bottom + 6;
  }

  #rows(fields: readonly FieldBlock[], x: number, top: number): number {
    const pieces: Piece[] = [];
    let at = 0;
    for (const field of fields) {
      for (let left = field.bits; left > 0; ) {
        const bits = Math.min(left, BITS - (at % BITS));
        pieces.push({
          field,
          row: Math.floor(at / BITS),
          from: at % BITS,
          bits,
          isFirst: left === field.bits,
          isLast: bits === left,
        });
        at += bits;
        left -= bits;
      }
    }
    const legend: string[] = [];
    for (const field of fields) {
      const own = pieces.filter((piece) => piece.field === field);
      // The name stands in the widest piece.
      const named = own.reduce((best, piece) => (piece.bits > best.bits ? piece : best));
      for (const piece of own) {
        const place = [x + piece.from * BIT, top + piece.row * ROW, piece.bits * BIT] as const;
        this.#piece(...place, piece);
        if (piece === named) legend.push(...this.#label(...place, field.name, field.detail));
      }
    }
    let y = top + Math.ceil(at / BITS) * ROW;
    if (legend.length > 0) {
      for (const line of wrapped(legend.join(", "), DETAIL_SIZE, ROW_WIDTH)) {
        this.#text("detail", x + 2, y + 12, line, "start");
        y += LINE;
      }
    }
    return y + 4;
  }

  /** One row of a field; an edge where it goes on in another row is left open. */
  #piece(x: number, y: number, width: number, { field, isFirst, isLast }: Piece): void {
    if (isFirst && isLast) {
      this.#cell(x, y, width, field.isUnused ? "cell unused" : "cell", field);
      return;
    }
    const name = field.isUnused ? "cell unused" : "cell";
    this.elements.push(
      `<rect class="${name}" data-field="${this.#numbers.get(field)}" stroke="none" style="stroke:none" x="${x}" y="${y}" width="${width}" height="${ROW}"/>`,
    );
    const edges = [`M${x} ${y}h${width}`, `M${x} ${y + ROW}h${width}`];
    if (isFirst) edges.push(`M${x} ${y}v${ROW}`);
    if (isLast) edges.push(`M${x + width} ${y}v${ROW}`);
    this.elements.push(`<path class="cell" d="${edges.join("")}"/>`);
  }

  #cell(x: number, y: number, width: number, name: string, block: FieldBlock | LongBlock): void {
    const number = this.#numbers.get(block);
    this.elements.push(
      `<rect class="${name}" data-field="${number}" x="${x}" y="${y}" width="${width}" height="${ROW}"/>`,
    );
  }

  /** Name and detail as far as they fit. Gives what the legend must say. */
  #label(x: number, y: number, width: number, name: string, detail: string): readonly string[] {
    const short = name.split(".").at(-1) ?? name;
    const shown = [name, short].find((text) => fits(text, NAME_SIZE, width));
    const middle = x + width / 2;
    const type = [detail, detail.split(",")[0] ?? ""].find((text) => text !== "" && fits(text, DETAIL_SIZE, width));
    const text = shown ?? this.#nextKey();
    const nameY = type === undefined ? y + 24 : y + 18;
    this.#text("name", middle, nameY, text, "middle");
    if (type !== undefined) this.#text("detail", middle, y + 32, type, "middle");
    if (shown !== undefined) return [];
    return [`${text} ${name}${detail === "" || type !== undefined ? "" : ` (${detail})`}`];
  }

  #nextKey(): string {
    const at = this.#keys;
    this.#keys += 1;
    const letter = String.fromCharCode(97 + (at % 26));
    return at < 26 ? letter : `${letter}${Math.floor(at / 26)}`;
  }

  #text(name: string, x: number, y: number, text: string, anchor: "start" | "middle" | "end"): void {
    const at = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
    this.elements.push(`<text class="${name}" x="${x}" y="${y}"${at}>${escapeXml(text)}</text>`);
  }
}
