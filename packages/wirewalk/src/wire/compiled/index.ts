/**
 * What generated readers and writers call: refusals, numbers across bytes, runs, blocks, memory.
 *
 * @module
 */

export { decodeLatin1 } from "../latin1.ts";
export { blockRoom, contentRoom, deflate, inBlock, inflate, inflated } from "./blocks.ts";
export {
  bigWords,
  blockWords,
  booleanWords,
  countWords,
  cutsWords,
  endWords,
  exactlyWords,
  finiteWords,
  fitsWords,
  flagsWords,
  floatWords,
  hereWords,
  isWords,
  itemsWords,
  leastWords,
  limitedWords,
  longWords,
  markWords,
  noEndWords,
  noneOfWords,
  overWords,
  paddingWords,
  partWords,
  prefixWords,
  rangeWords,
  reservedWords,
  sizeWords,
  textWords,
  windowsTextWords,
  zeroTextWords,
} from "./kinds.ts";
export { cutSlab, slabFor, slabUsed, uncutSlab } from "./memory.ts";
export {
  type CompiledBody,
  type CompiledDialect,
  type CompiledLayout,
  type DialectOutline,
  decodeCompiled,
  encodeCompiled,
  type Members,
  noMessage,
  notRead,
  readWhole,
  roomFor,
  unknownId,
  unknownName,
  writeWhole,
} from "./messages.ts";
export {
  bigAt,
  floatOf,
  floatWordOf,
  highBits,
  putBig,
  putHighBits,
} from "./numbers.ts";
export {
  bad,
  badField,
  badKey,
  badObject,
  type Checks,
  cut,
  cutBit,
  inSized,
  no,
  noBit,
  notSize,
  on,
  refusal,
  trailing,
  under,
  wrong,
} from "./refusals.ts";
export {
  allZero,
  bytesAt,
  bytesOfBits,
  changedBytes,
  decodeWindows1252,
  lengthOf,
  memberOf,
  putBytes,
  putChanged,
  putText,
  putWindows1252,
  zeroAt,
} from "./runs.ts";
