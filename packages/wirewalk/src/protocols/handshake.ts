/**
 * A channel whose ends greet before anything else: the greeting says how the peer must speak (an IV, a key). Capability
 * `handshake` of a `Channel`.
 */
export interface Handshake {
  /** The first bytes that this side sends. Undefined when only the peer greets. */
  readonly greeting: Uint8Array | undefined;
  /** True until the peer's greeting arrives. Do not write before then. */
  readonly awaited: boolean;
}
