import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 collect garbage before the heap has grown to several times of what is in use. Reading a capture holds 80 MB and makes garbage
 * with every packet: the process grew to 430 MB, and grows to 190 MB with a third more processor time.
 */
export function limitHeapGrowth(): void {
  // Two flags, because each is about one generation of the heap.
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=25");
}
