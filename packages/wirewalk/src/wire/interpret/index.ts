/** One interpreter of descriptions. */
export {
  decode,
  encode,
  fromJson,
  type LayoutTrace,
  readLayout,
  toJson,
  traceInto,
  traceLayout,
  writeLayout,
} from "./interpret.ts";
