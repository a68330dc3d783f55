/**
 * What a client of Scrap Mechanic computes: samples of keys and look, the movement model, prediction; and the server's
 * buffer of inputs.
 *
 * ```ts
 * import { createCharacter, movementModel, stepCharacter } from "wirewalk/scrap-mechanic/movement";
 * ```
 *
 * @module
 */
export { InputBuffer, type InputStep } from "./input-buffer.ts";
export {
  type Ceiling,
  type CharacterState,
  copyCharacter,
  createCharacter,
  flatGround,
  type Ground,
  keysSpeed,
  type MovementModel,
  type MovementModelName,
  movementModel,
  movementModels,
  openSky,
  type StepInput,
  stepCharacter,
  TICK_MS,
} from "./model.ts";
export {
  type Area,
  gridPlace,
  type LowCeiling,
  type Place,
  type PlaceName,
  type PlaceOptions,
  places,
  plain,
  type Ramp,
  SEAT_REACH,
  type Seat,
  seatAt,
  seatedPosition,
  yard,
} from "./place.ts";
export { PredictionErrors } from "./prediction-errors.ts";
export { type PredictorOptions, ScrapPredictor } from "./predictor.ts";
export { MovementSampler, type SamplerOptions } from "./sampler.ts";
export { TimeBudget, type TimeBudgetOptions } from "./time-budget.ts";
export type { Spin } from "./tumbling.ts";
