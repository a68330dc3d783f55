/** Addresses of the server's sockets, from the address of the page. */

interface PageAddress {
  readonly protocol: string;
  readonly host: string;
}

function socketUrl(page: PageAddress, path: string): URL {
  return new URL(path, `${page.protocol === "https:" ? "wss:" : "ws:"}//${page.host}`);
}

/** The feed's address. */
export function feedUrl(page: PageAddress): string {
  return socketUrl(page, "/ws/studio").href;
}

/** The query of a game's own socket: what its opener wants. */
export interface GameWishes {
  readonly room: string;
  /** Shown as the name where the protocol has no login. */
  readonly account: string;
  /** Ties the socket to the feed, which then sends the own player id. */
  readonly viewer: string | undefined;
}

/** The address of a game's own socket. */
export function gameUrl(page: PageAddress, path: string, { room, account, viewer }: GameWishes): string {
  const url = socketUrl(page, path);
  url.searchParams.set("room", room);
  url.searchParams.set("account", account);
  if (viewer !== undefined) url.searchParams.set("viewer", viewer);
  return url.href;
}
