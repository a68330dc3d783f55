import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Bytes of the young generation, both halves, at which it stops growing. */
const YOUNG_BYTES = 8 * 1024 * 1024;

/**
 * Makes V8 collect garbage before the heap has grown to several times of what is in use. Reading a capture holds 40 MB and makes garbage
 * with every packet: without this the process grew to 301 MB for a capture of 42 MB. The young generation stays as it is at the start,
 * until {@link growYoungGeneration}.
 */
export function limitHeapGrowth(): void {
  // Two flags, because each is about one generation of the heap.
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=25");
}

/**
 * Lets the young generation grow to 8 or 16 MB: with its first 2 MB reading takes a third more processor time. Call it again and again
 * while garbage is made, until it gives true: V8 has no limit that can be set while it runs.
 */
export function growYoungGeneration(): boolean {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  const isGrown = young === undefined || young.space_size >= YOUNG_BYTES;
  setFlagsFromString(`--semi-space-growth-factor=${isGrown ? 1 : 2}`);
  return isGrown;
}
