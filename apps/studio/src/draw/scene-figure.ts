/** A measured number with its name and unit: `saved`, `312 bits`. A drawing measures it, the tour shows it. */
export interface SceneFigure {
  readonly name: string;
  readonly value: string;
}
