/** The scrubber of a game that may have none. */
import type { Scrubber, ScrubSetup } from "./privacy.ts";
import type { Protocol } from "./protocol.ts";

/** The scrubber of a game. Throws `RangeError` for a game without the capability: what its messages hold is not known. */
export function openScrubber(protocol: Protocol, setup: ScrubSetup): Scrubber {
  const privacy = protocol.capabilities?.privacy;
  if (privacy === undefined) {
    throw new RangeError(
      `Cannot give pseudonyms: ${protocol.name} has no capability "privacy", so its personal data is not known`,
    );
  }
  return privacy.openScrubber(setup);
}
