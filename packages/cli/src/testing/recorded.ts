import { getText } from "./get-text.ts";

/** Resolves with the metrics of a server when its world of Slime Online 2 has recorded so many inputs and effects. `page` is its address. */
export async function recorded(page: string, least: number): Promise<string> {
  for (;;) {
    const metrics = await getText(new URL("/metrics", page));
    const [, count] =
      /^wirewalk_recorded_total\{protocol="slime-online-2",world="slime-online-2"\} (\d+)$/m.exec(metrics) ?? [];
    if (Number(count) >= least) return metrics;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
