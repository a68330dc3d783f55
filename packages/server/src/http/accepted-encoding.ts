/** The encoding of an answer by the request's `Accept-Encoding` (RFC 9110, section 12.5.3). */

/** Encodings that answers may have, the one that is sent first where a client takes several alike. */
const encodings = ["br", "gzip", "identity"] as const;
export type Encoding = (typeof encodings)[number];

/** Longer headers are not read: no browser sends a tenth of it. */
const MAX_HEADER_LENGTH = 1_000;

/**
 * The one of `available` that the client prefers, by its weights. `identity` when it says nothing, nothing that can be read, or
 * refuses everything: an answer that it has to read is better than none.
 */
export function acceptedEncoding(header: string | undefined, available: ReadonlySet<Encoding>): Encoding {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return "identity";
  const weights = weightsOf(header);
  const others = weights.get("*");
  let best: Encoding = "identity";
  let most = 0;
  for (const encoding of encodings) {
    if (!available.has(encoding)) continue;
    // Identity is accepted unless it is refused, behind whatever is named.
    const weight = weights.get(encoding) ?? others ?? (encoding === "identity" ? Number.MIN_VALUE : 0);
    if (weight > most) [best, most] = [encoding, weight];
  }
  return best;
}

/** `gzip;q=0.5, br` as weights from 0 to 1. What is no coding, or has no valid weight, is left out. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [, coding, weight = "1"] = /^\s*([a-z0-9*_-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(part) ?? [];
    if (coding === undefined || Number(weight) > 1) continue;
    // The names that HTTP/1.0 had.
    weights.set(coding === "x-gzip" ? "gzip" : coding, Number(weight));
  }
  return weights;
}
