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

/** The address of a game's own socket; `token` ties it to the feed, which then tells the own player id. */
export function gameUrl(page: PageAddress, path: string, room: string, token: string | undefined): string {
  const url = socketUrl(page, path);
  url.searchParams.set("room", room);
  if (token !== undefined) url.searchParams.set("viewer", token);
  return url.href;
}
