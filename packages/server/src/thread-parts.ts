/** What a server takes from the main thread when it runs in a worker thread. */
import type { Verdict } from "wirewalk/motion";
import type { Accounts } from "./admission/accounts.ts";
import type { PlaceCounts } from "./admission/places.ts";
import type { BanKey } from "./bans/ban-key.ts";
import type { Penalty, VerdictWorld } from "./bans/ledger.ts";

/** Whom a verdict is about: what a ban would apply to, and the name that other players saw. */
export interface VerdictAccount {
  readonly key: BanKey;
  readonly name: string;
}

export interface ThreadParts {
  /** Which of the threads it is, from 1, and how many there are. */
  readonly index: number;
  readonly threads: number;
  /** Its own worlds: the others of the game are in other threads. */
  readonly worlds: readonly string[];
  /** No session of another thread has a number from here up to 2^40 further. */
  readonly firstSession: number;
  readonly counts: PlaceCounts;
  readonly logins: Pick<Accounts, "check" | "problem" | "waiting">;
  /** Adds a verdict to its account in the one ledger; calls when a policy's limit is reached. */
  addVerdict(world: VerdictWorld, of: VerdictAccount, verdict: Verdict, penalize: (penalty: Penalty) => void): void;
  forget(protocol: string, key: BanKey): void;
  /** An account has logged in here. */
  takeOver(protocol: string, account: string): void;
  /** From which pseudonyms in recordings are made; the main thread has locked their folder. */
  readonly secret: Buffer;
  /** Unix socket of its HTTP. Its peer is the main thread alone. */
  readonly socketPath: string;
}
