/**
 * Why a packet of player info was refused, and where: pass, player and bit.
 */
import { WireError, type WireErrorCode, type WireErrorJson } from "../../../../wire/index.ts";

/** 1..4 are the passes (standard 5.2), 0 the initialisation, 5 the masks and the end. */
export type PlayerInfoStage = 0 | 1 | 2 | 3 | 4 | 5;

/** A {@link PlayerInfoError} as plain data. */
export interface PlayerInfoErrorJson extends WireErrorJson {
  pass: PlayerInfoStage;
  /** The player being read; absent between players. */
  index?: number;
  /** The same as `bitOffset`, by another name. */
  bit: number;
}

/**
 * A packet that no server could have sent to this observer:
 *
 * - `truncated`: the bits end inside a pass or the bytes inside a mask block.
 * - `trailing`: bytes are left after the last mask.
 * - `bad-length`: a skip reaches past the end of its pass.
 * - `bad-value`: the observer itself is removed, an add is nested in an add, or a position leaves the world.
 * - `unknown-variant`: mask flags name a block that the revision does not have.
 * - `limit`: the packet is larger than the client's buffer, or a string of a mask is too long.
 * - `bad-state`: no initialisation came before.
 */
export class PlayerInfoError extends WireError {
  readonly pass: PlayerInfoStage;
  readonly index: number | undefined;

  constructor(
    code: WireErrorCode,
    message: string,
    bitOffset: number,
    { pass, index, path = "" }: { pass: PlayerInfoStage; index?: number | undefined; path?: string },
  ) {
    super(code, message, bitOffset, path);
    this.pass = pass;
    this.index = index;
  }

  override toJSON(): PlayerInfoErrorJson {
    const place = this.index === undefined ? { pass: this.pass } : { pass: this.pass, index: this.index };
    return { ...super.toJSON(), ...place, bit: this.bitOffset };
  }
}
