/** The packet of one observer: its sets, then the four passes bit by bit, then the masks. */
import { gatherSubsets, prepareCrowd } from "./crowd";
import { align, beginPacket, fill, flush, listEnd, out, putSkip, run, setRun } from "./cursor";
import {
  aligns,
  MASK_LENGTH,
  MASK_LIST,
  MASK_PLACES,
  MASK_START,
  masks,
  NOBODY,
  own,
  passFlags,
  VARIANT_LENGTH,
  VARIANT_START,
} from "./memory";
import { prepareEntries, writeEntries } from "./entries";
import { writeExternals, writeLocals } from "./passes";
import { anyOwed, entered, isUsual, requestMasks, sortPlayers } from "./sorting";
import { writeUsualExternals, writeUsualLocals } from "./usual";

/** Masks of this packet are not composed yet: nothing is written. */
export const WANTS_MASKS: usize = 1;
/** The packet would be too long: nothing is written. */
export const TOO_LONG_PACKET: usize = 0;

/** Players that come into view of an observer in a crowd, from which it pays to write them in runs. */
const MANY_ENTRIES: u32 = 256;

/**
 * Writes the packet of an observer, whose view is {@link OWN_VIEW}.
 *
 * @param masked the players with masks
 * @param isOwn whether they are other players than those for everybody
 * @param start where the packet begins, and `limit` where it must end
 * @param crowd players in view when they are a crowd, whose locals are written by groups, otherwise 0; the bytes are the same
 * @returns the end of the packet, or {@link TOO_LONG_PACKET}, or {@link WANTS_MASKS}
 */
export function writePacket(observer: u32, masked: usize, isOwn: bool, start: usize, limit: usize, crowd: u32): usize {
  const before = entered;
  sortPlayers(observer, masked, isOwn, false);
  if (anyOwed && requestMasks(observer)) return WANTS_MASKS;
  return writePasses(start, limit, crowd, entered - before);
}

/** Writes the packet of an observer without any masks. Returns its end. */
export function writeMute(observer: u32, start: usize, limit: usize): usize {
  sortPlayers(observer, NOBODY, false, true);
  return writePasses(start, limit, 0, 0);
}

function writePasses(start: usize, limit: usize, crowd: u32, enters: u32): usize {
  const inRuns = crowd != 0 && isUsual && enters >= MANY_ENTRIES;
  // Few are left for groups when most have just come.
  const isCrowd = crowd != 0 && !(inRuns && enters * 2 > crowd);
  if (inRuns) prepareEntries();
  if (isCrowd) prepareCrowd();
  const plain = isCrowd ? gatherSubsets() : 0;
  beginPacket(start);
  for (let pass: u32 = 0; pass < 4; pass++) {
    const flip: u64 = ((passFlags >> pass) & 1) != 0 ? 0 : ~0;
    setRun(0);
    if (isUsual && pass < 2 && !isCrowd) writeUsualLocals(flip);
    else if (inRuns && pass >= 2) writeEntries(flip);
    else if (isUsual && pass >= 2) writeUsualExternals(flip);
    else if (pass < 2) writeLocals(pass, flip, plain);
    else writeExternals(flip);
    if (run != 0) {
      putSkip();
      flush();
    }
    if ((aligns || pass == 3) && fill != 0) align();
  }
  return appendMasks(limit);
}

/** Appends the masks of the listed players. */
function appendMasks(limit: usize): usize {
  if (!anyOwed) return appendUsual(limit);
  let to = out;
  for (let at: usize = own() + MASK_LIST, last = listEnd; at < last; at += 4) {
    const entry: usize = load<u32>(at);
    let start = MASK_START + (entry << 2);
    let size = MASK_LENGTH + (entry << 2);
    if (entry > 2047) {
      const variant = ((entry & 2047) << 7) + ((entry >> 11) << 2);
      start = VARIANT_START + variant;
      size = VARIANT_LENGTH + variant;
    }
    const from = masks + load<u32>(start);
    const length: usize = load<u32>(size);
    if (to + length > limit) return TOO_LONG_PACKET;
    // Past the end, which the next masks overwrite. Most are at most 32 bytes.
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    for (let copied: usize = 32; copied < length; copied += 16) {
      v128.store(to + copied, v128.load(from + copied));
    }
    to += length;
  }
  return to;
}

/** The same when they are the masks of the tick. */
function appendUsual(limit: usize): usize {
  const from = masks;
  let to = out;
  for (let at: usize = own() + MASK_LIST, last = listEnd; at < last; at += 4) {
    const mask = load<u64>(MASK_PLACES + (<usize>load<u32>(at) << 3));
    const start = from + (<usize>mask & 0xffff_ffff);
    const length = <usize>(mask >> 32);
    if (to + length > limit) return TOO_LONG_PACKET;
    v128.store(to, v128.load(start));
    v128.store(to, v128.load(start, 16), 16);
    for (let copied: usize = 32; copied < length; copied += 16) {
      v128.store(to + copied, v128.load(start + copied));
    }
    to += length;
  }
  return to;
}
