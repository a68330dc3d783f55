/** The position in a packet: its bits, the pass and player they belong to, and with these the trace and errors. */
import { BitReader, type Tracer, WireError } from "../../../../wire/index.ts";
import { PlayerInfoError, type PlayerInfoStage } from "./player-info-error.ts";

export class PacketCursor {
  readonly bits: BitReader;
  readonly tracer: Tracer | undefined;
  /** The pass; 0 before them, 5 for masks. */
  stage: PlayerInfoStage = 0;
  /** The player that is read. */
  index: number | undefined;
  /** The last field of the passes: where the bits end, it is the one that is cut. */
  #field = "";

  constructor(bytes: Uint8Array, tracer?: Tracer) {
    this.bits = new BitReader(bytes);
    this.tracer = tracer;
  }

  read(width: number, field: string, shown?: (raw: number) => string): number {
    this.#field = field;
    const value = this.bits.read(width);
    this.tracer?.field(this.path(field), this.bits.bitOffset - width, width, value, shown?.(value));
    return value;
  }

  readSigned(width: number, field: string): number {
    this.#field = field;
    const value = this.bits.readSigned(width);
    this.tracer?.field(this.path(field), this.bits.bitOffset - width, width, value);
    return value;
  }

  /** The client ignores the bits that align. */
  align(): void {
    const from = this.bits.bitOffset;
    const value = this.bits.align();
    const width = this.bits.bitOffset - from;
    if (width > 0) this.tracer?.field(this.path("padding"), from, width, value, "ignored");
  }

  /** A field with the pass and player that it belongs to. */
  path(field: string): string {
    if (this.stage === 0) return field;
    const stage = this.stage === 5 ? "masks" : `pass${this.stage}`;
    return this.index === undefined ? `${stage}.${field}` : `${stage}.player[${this.index}].${field}`;
  }

  error(code: WireError["code"], why: string): PlayerInfoError {
    const bit = this.bits.bitOffset;
    const what = this.index === undefined ? "player info" : `player ${this.index}`;
    const message = `Cannot read ${what}: ${why} at bit ${bit}`;
    return new PlayerInfoError(code, message, bit, { pass: this.stage, index: this.index });
  }

  /** A `WireError` of a smaller reader with the pass and player that it belongs to. */
  located(error: unknown): unknown {
    if (!(error instanceof WireError) || error instanceof PlayerInfoError) return error;
    if (error.path === "" && this.stage !== 5 && this.#field !== "") error.within(this.#field);
    const { code, message, bitOffset, path } = error;
    return new PlayerInfoError(code, message, bitOffset, { pass: this.stage, index: this.index, path });
  }
}
