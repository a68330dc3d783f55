/** A world as the feed describes it. */

import type { ServedWorld } from "../feed/feed.ts";
import type { NamedListener } from "../server-options.ts";

export interface ServedWorldOptions {
  /** `host:port` of its TCP listener, if there is one. */
  readonly listen: string | null;
  readonly hasDemo: boolean;
  /** Whether its game has other worlds. */
  readonly hasOthers: boolean;
}

export function servedWorld(
  { name, protocol, dialect, seed }: NamedListener,
  { listen, hasDemo, hasOthers }: ServedWorldOptions,
): ServedWorld {
  const settings = Object.entries(protocol.capabilities?.settings?.values ?? {});
  return {
    name,
    protocol: protocol.name,
    title: hasOthers ? `${protocol.title}: ${name}` : protocol.title,
    dialect,
    path: `/ws/${name}`,
    listen,
    demo: hasDemo ? { seed } : null,
    settings: Object.fromEntries(settings.map(([setting, info]) => [setting, info.default])),
  };
}
