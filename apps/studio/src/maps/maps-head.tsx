/** What maps were dropped, in a line over the drawing, with a way to each of them. */
import { useSignal } from "@preact/signals";
import type { Studio } from "../app/studio.ts";
import { showAmount } from "../ui/format.ts";

export interface MapsHeadProps {
  readonly name: string;
  readonly places: readonly string[];
  readonly studio: Studio;
  readonly close: () => void;
}

/** Places that are offered while one types. */
const MAX_OFFERED = 50;

export function MapsHead({ name, places, studio, close }: MapsHeadProps) {
  const wanted = useSignal("");
  const fault = useSignal<string | undefined>(undefined);
  const text = wanted.value.trim();
  const offered = places.filter((place) => place.startsWith(text)).slice(0, MAX_OFFERED);
  const go = (event: Event): void => {
    event.preventDefault();
    const world = studio.world.peek();
    const found = places.find((place) => place === text) ?? (offered.length === 1 ? offered[0] : undefined);
    fault.value = found === undefined ? `There is no map ${text} in ${name}.` : undefined;
    if (world !== undefined && found !== undefined) studio.watch(world, found);
  };
  return (
    <section class="hello maps-head" aria-label="Maps">
      <p>
        <b class="recorded-file">{name}</b> <span>{showAmount(places.length, "map")}</span>{" "}
        <span class="hint">They stay in this browser.</span>
      </p>
      <form class="hello-links" onSubmit={go}>
        <input
          class="search"
          list="dropped-maps"
          placeholder="Number of a map"
          aria-label="Number of a map"
          value={wanted.value}
          onInput={(event) => {
            wanted.value = event.currentTarget.value;
          }}
        />
        <datalist id="dropped-maps">
          {offered.map((place) => (
            <option key={place} value={place} />
          ))}
        </datalist>
        <button type="submit" class="plain">
          Show
        </button>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </form>
      {fault.value === undefined ? null : <p role="alert">{fault.value}</p>}
    </section>
  );
}
