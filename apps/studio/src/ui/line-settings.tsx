/** The settings of the own line: presets, and a slider for each property. */
import { type BadLine, type BadLineSettings, goodLine, isGood } from "../games/bad-line.ts";
import { linePresets, presetOf } from "../games/line-presets.ts";

interface SliderOf {
  readonly name: keyof BadLineSettings;
  readonly label: string;
  readonly unit: string;
  readonly most: number;
  readonly step: number;
}

const sliders: readonly SliderOf[] = [
  { name: "latencyMs", label: "latency", unit: "ms each way", most: 500, step: 10 },
  { name: "jitterMs", label: "jitter", unit: "ms", most: 500, step: 10 },
  { name: "loss", label: "loss, in bursts", unit: "%", most: 0.4, step: 0.01 },
  { name: "stallMs", label: "stall every 10 s", unit: "ms", most: 3_000, step: 100 },
  { name: "bytesPerSecond", label: "bandwidth, 0: no limit", unit: "B/s", most: 20_000, step: 500 },
];

export function LineSettings({ line }: { readonly line: BadLine }) {
  const settings = line.settings.value;
  const change = (part: Partial<BadLineSettings>): void => {
    line.settings.value = { ...settings, ...part };
  };
  const preset = presetOf(settings);
  return (
    <div class="menu-body">
      <p class="hint">What you send and receive while you play takes a simulated network. Others are not affected.</p>
      <div class="segments">
        {linePresets.map(({ name, settings: of }) => (
          <button
            key={name}
            type="button"
            aria-pressed={preset?.name === name}
            onClick={() => change({ ...of, seed: settings.seed })}
          >
            {name}
          </button>
        ))}
      </div>
      {sliders.map(({ name, label, unit, most, step }) => (
        <label key={name} class="menu-slider">
          {label}
          <input
            type="range"
            min={0}
            max={most}
            step={step}
            value={settings[name]}
            onInput={({ currentTarget: { valueAsNumber } }) => change({ [name]: valueAsNumber })}
          />
          <output>
            {unit === "%" ? Math.round(settings[name] * 100) : settings[name].toLocaleString("en")} {unit}
          </output>
        </label>
      ))}
      <label class="menu-slider">
        seed
        <input
          type="number"
          min={0}
          max={9_999}
          value={settings.seed}
          onChange={({ currentTarget: { valueAsNumber } }) =>
            change({ seed: Number.isSafeInteger(valueAsNumber) ? valueAsNumber : goodLine.seed })
          }
        />
        <span class="hint">equal seeds, equal losses</span>
      </label>
      {isGood(settings) ? null : (
        <p class="hint">Watch your messages on the time line: they leave in bursts and arrive late.</p>
      )}
    </div>
  );
}
