/** What maps were dropped, in a line over the drawing, with a way to each of them. */
import { useSignal } from "@preact/signals";
import type { Studio } from "../app/studio.ts";
import { showAmount } from "../ui/format.ts";
import { placeFacts } from "./place-facts.ts";

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
        <span class="hint">
          They stay in this browser. To walk in them, start a server with them: <code>wirewalk serve --maps</code>.
        </span>
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
      <Facts studio={studio} />
      {fault.value === undefined ? null : <p role="alert">{fault.value}</p>}
    </section>
  );
}

/** What the shown place has. */
function Facts({ studio }: Pick<MapsHeadProps, "studio">) {
  const world = studio.world.value;
  const room = studio.room.value;
  if (world === undefined || room === undefined) return null;
  const place = studio.places.of(world, room).value;
  if (place.state !== "known") return null;
  const facts = placeFacts(place.parts);
  const named = facts.filter(({ names }) => names.length > 0);
  const amounts = facts.map(({ amount }) => amount).join(", ");
  if (named.length === 0) return <p class="maps-facts">{amounts}</p>;
  return (
    <details class="maps-facts">
      <summary>{amounts}</summary>
      <dl>
        {named.map(({ amount, names }) => (
          <div key={amount}>
            <dt>{amount}</dt>
            <dd>{names.join(", ")}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
