/** The narrowest integer for a range: of 8, 16, 32 or 64 bits. What is never negative is unsigned up to 32 bits. */
export function integerWidth(min: number, max: number): { readonly isSigned: boolean; readonly bits: number } {
  const isSigned = min < 0 || max > 0xffff_ffff;
  const fits = (bits: number): boolean =>
    isSigned ? min >= -(2 ** (bits - 1)) && max < 2 ** (bits - 1) : max < 2 ** bits;
  return { isSigned, bits: min >= 0 && isSigned ? 64 : ([8, 16, 32].find(fits) ?? 64) };
}
