/**
 * The text at an address, over a connection of its own: one that is kept for the next request is closed by the server after 5 s, and on
 * a busy machine a test that asks every 100 ms may come at that moment.
 */
export async function getText(url: string | URL, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const answer = await fetch(url, { headers: { ...headers, connection: "close" } });
  return answer.text();
}
