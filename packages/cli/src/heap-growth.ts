import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Bytes of the young generation, both halves, at which it stops growing. */
const YOUNG_BYTES = 8 * 1024 * 1024;
/** A half doubles when as many bytes have survived: several of these apart. */
const LOOK_EVERY_MS = 20;

/**
 * Makes V8 collect garbage before the heap has grown to several times of what is in use. Reading a capture holds 40 MB and makes garbage
 * with every packet. With V8's own limits the process has 301 MB for a capture of 42 MB, and more for a longer one. With a young generation
 * that stays at its first 2 MB it has 190 MB and needs 13.6 s of processor time; with one of 8 to 16 MB, as here, 200 MB and 10 s.
 */
export function limitHeapGrowth(): void {
  // Two flags, because each is about one generation of the heap.
  setFlagsFromString("--heap-growing-percent=25");
  const look = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    if (young === undefined || young.space_size < YOUNG_BYTES) return;
    setFlagsFromString("--semi-space-growth-factor=1");
    clearInterval(look);
  }, LOOK_EVERY_MS);
  look.unref();
}
