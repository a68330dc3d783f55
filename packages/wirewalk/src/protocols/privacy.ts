/** Payloads without personal data: names, chat and looks are replaced, and the rest of a message stays as it is. */
import { sizeOf, WireError } from "../wire/index.ts";
import type { PayloadCodec, Side } from "./codec.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

/** Whose names, chat and looks are replaced: those of everybody but the observer, or of everybody. */
export type PseudonymScope = "others" | "all";

export interface ScrubSetup {
  readonly dialect: string;
  readonly whose: PseudonymScope;
  /** Shared by all sessions of a file. */
  readonly pseudonyms: Pseudonyms;
}

/** Replaces personal data in the payloads of one session, which are given in their order. */
export interface Scrubber {
  /**
   * The payload without personal data: the same message, and the same array where there is nothing to replace. A message whose content is
   * not described, or cannot be read, has zeros in place of its body. Throws `RangeError` where personal data cannot be found in a message
   * that must not be lost.
   */
  scrub(sender: Side, payload: Uint8Array): Uint8Array;
}

/** A game whose messages hold personal data. Capability `privacy` of a `Protocol`. */
export interface Privacy {
  /** Throws `RangeError` for an unknown dialect. */
  openScrubber(setup: ScrubSetup): Scrubber;
}

/** What is done with a message: `keep` where it holds no personal data, or the value without it, which may be the same object. */
export type ScrubRule = "keep" | ((value: never) => object);

/** By sender and name of the message. A message without a rule has zeros in place of its body. */
export type ScrubRules = Readonly<Record<Side, Readonly<Record<string, ScrubRule>>>>;

export interface RuleScrubberOptions {
  readonly codec: PayloadCodec;
  readonly rules: ScrubRules;
  /** Of the messages that the codec does not describe, those without names, chat and looks. Default: none. */
  readonly isHarmless?: (sender: Side, name: string) => boolean;
}

/** The scrubber of a game whose messages can each be read alone. */
export function ruleScrubber({ codec, rules, isHarmless = () => false }: RuleScrubberOptions): Scrubber {
  const idBytes = sizeOf(codec.id.node).most / 8;
  const changed = (sender: Side, payload: Uint8Array): Uint8Array => {
    const message = codec.read(sender, payload);
    const rule = rules[sender][message.message];
    if (rule === "keep") return payload;
    if (rule === undefined) return blanked(payload, idBytes);
    const value = rule(message.value as never);
    return value === message.value ? payload : codec.write(sender, { message: message.message, value });
  };
  return {
    scrub(sender, payload) {
      const undescribed = codec.undescribed?.(sender, payload);
      if (undescribed !== undefined) return isHarmless(sender, undescribed) ? payload : blanked(payload, idBytes);
      try {
        return changed(sender, payload);
      } catch (error) {
        if (error instanceof WireError) return blanked(payload, idBytes);
        throw error;
      }
    },
  };
}

/** The payload with zeros behind the message's number. */
function blanked(payload: Uint8Array, idBytes: number): Uint8Array {
  const blank = new Uint8Array(payload.length);
  blank.set(payload.subarray(0, idBytes));
  return blank;
}
