/** The texts of a language. */
export interface FrameTexts {
  /** With `{limitClient}`, `{limitServer}` in bytes, and `{low}`, `{high}`: which of the two bytes of a length is which. */
  readonly length: string;
  /** With `{sizesClient}`, `{sizesServer}`, `{smartClient}`, `{smartServer}` and `{bodyLimit}`. */
  readonly opcode: string;
  /** One line for each opcode with a size. */
  sizeLine(opcode: number, size: number): string;
  /** A truth value. */
  truth(value: boolean): string;
}
