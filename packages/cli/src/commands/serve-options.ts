/** What a server takes from the flags of `wirewalk serve`: in its main thread and in its workers. */
import type { ListenerOptions, RecordingOptions, Registration, ServerOptions } from "@wirewalk/server";
import type { WebOptions } from "./serve-web.ts";

export interface ServerFlags {
  readonly host: string;
  readonly http: number;
  readonly bots: number;
  readonly seed: number;
  readonly banLoopback?: true;
  readonly trustProxy?: readonly string[];
  readonly register?: Registration;
  readonly logOnly?: true;
  readonly flushMs: number;
  readonly allowOrigin?: readonly string[];
}

export interface ChosenOptions {
  readonly listeners: readonly ListenerOptions[];
  readonly web: WebOptions;
  readonly recordings: RecordingOptions | undefined;
  readonly sessionsPerAddress: number;
  /** Whether bans outlive the server. */
  readonly isKept: boolean;
  /** Where recordings of dismissed verdicts go. */
  readonly dismissed?: string | undefined;
}

export function serverOptions(
  flags: ServerFlags,
  { listeners, web, recordings, sessionsPerAddress, isKept, dismissed }: ChosenOptions,
): ServerOptions {
  return {
    host: flags.host,
    http: flags.http,
    listeners,
    seed: flags.seed,
    // Bots walk in demo rooms; the rooms of real clients are not known.
    demo: flags.bots > 0,
    banLoopback: flags.banLoopback === true,
    ...(flags.trustProxy === undefined ? {} : { trustedProxies: flags.trustProxy }),
    ...(flags.register === undefined ? {} : { registration: flags.register }),
    enforcement: flags.logOnly === true ? "log" : "enforce",
    // The bots have places of their own: they take none from other sessions of this machine.
    budgets: { sessionsPerAddress },
    flushMs: flags.flushMs,
    recordings,
    // In memory it costs three quarters of what recording costs; bans that end with the process need no evidence. Who tries it with bots
    // opens verdicts on the page.
    evidence: isKept || dismissed !== undefined || flags.bots > 0,
    ...(dismissed === undefined ? {} : { dismissedFolder: dismissed }),
    ...web,
    ...(flags.allowOrigin === undefined ? {} : { allowedOrigins: flags.allowOrigin }),
  };
}
