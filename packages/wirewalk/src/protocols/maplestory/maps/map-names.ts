/** Names of maps for people, out of `Map.img` of String.wz. */
import type { TreeNode } from "./tree.ts";
import { textAt } from "./tree-values.ts";

/** By number. In the image they stand below the parts of the world: `maple/100000000`. Empty where there is no image. */
export function namesOfMaps(image: TreeNode | undefined): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const part of image?.children ?? []) {
    for (const map of part.children) {
      const name = textAt(map, "mapName").trim();
      if (/^\d{1,9}$/.test(map.name) && name !== "") names.set(Number(map.name), name);
    }
  }
  return names;
}
