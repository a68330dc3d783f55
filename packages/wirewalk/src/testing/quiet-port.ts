/**
 * A port at random that no client's end of a connection takes while its server is stopped: systems give those from 32,768 or 49,152
 * on. Another server may have it.
 */
export function quietPort(): number {
  return 15_000 + Math.floor(Math.random() * 15_000);
}
