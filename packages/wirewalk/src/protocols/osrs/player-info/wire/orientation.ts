/** The orientation of a step: 0 south, 512 west, 1024 north, 1536 east; undefined without a step. */
export function orientationOf(dx: number, dz: number): number | undefined {
  if (dx === 0 && dz === 0) return undefined;
  if (dx === 0) return dz < 0 ? 0 : 1024;
  if (dx < 0) return dz < 0 ? 256 : dz === 0 ? 512 : 768;
  return dz > 0 ? 1280 : dz === 0 ? 1536 : 1792;
}
