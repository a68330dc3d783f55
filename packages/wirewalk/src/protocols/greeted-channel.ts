/**
 * Channels of protocols in which the other side speaks first and says there how it is to be spoken to: an IV, a key.
 *
 * @module
 */
import type { Channel, WireMessage } from "./protocol.ts";

/** A channel that may have to hear the other side's greeting before anything that it writes can be understood. */
export interface GreetedChannel<In extends WireMessage = WireMessage, Out extends WireMessage = WireMessage>
  extends Channel<In, Out> {
  /** True until the greeting was heard: whoever has something to say waits. */
  readonly awaitsGreeting: boolean;
}

/** Whether whoever has something to say on the channel must wait. Channels without greetings never make anybody wait. */
export function awaitsGreeting(channel: object): boolean {
  return "awaitsGreeting" in channel && channel.awaitsGreeting === true;
}
