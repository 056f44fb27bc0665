/** Levels of a station, scaled for drawing. */
export interface Levels {
  station: string;
  values: number[];
}

export type Point = [number, number];

export class Gauge {
  constructor(private readonly levels: Levels) {}

  /** Points of a line in a box of this size. */
  points(width: number, height: number): Point[] {
    const { values } = this.levels;
    const top = Math.max(...values);
    return values.map((value, index): Point => {
      const x = (index / (values.length - 1)) * width;
      return [x, height - (value / top) * height];
    });
  }
}

export function isHigh(levels: Levels, limit: number): boolean {
  return levels.values.some((value) => value > limit);
}
