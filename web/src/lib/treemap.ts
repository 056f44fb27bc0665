/** Rectangles in a rectangle, areas as the values, as square as can be (squarified). Pure; ends in O(n log n). */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export function treemap(values: number[], x: number, y: number, w: number, h: number): Box[] {
  const order = values.map((_, at) => at).filter((at) => values[at] > 0).sort((a, b) => values[b] - values[a] || a - b);
  const boxes: Box[] = values.map(() => ({ x, y, w: 0, h: 0 }));
  const sum = order.reduce((all, at) => all + values[at], 0);
  if (!sum || w <= 0 || h <= 0) return boxes;
  const scale = (w * h) / sum;
  let from = 0;
  while (from < order.length && w > 0 && h > 0) {
    const side = Math.min(w, h);
    let to = from;
    let area = 0;
    let worst = Infinity;
    while (to < order.length) {
      const next = area + values[order[to]] * scale;
      const thick = next / side;
      const biggest = (values[order[from]] * scale) / thick;
      const smallest = (values[order[to]] * scale) / thick;
      const bad = Math.max(biggest / thick, thick / biggest, smallest / thick, thick / smallest);
      if (bad > worst) break;
      worst = bad;
      area = next;
      to++;
    }
    const thick = area / side;
    let at = 0;
    for (let i = from; i < to; i++) {
      const long = (values[order[i]] * scale) / thick;
      boxes[order[i]] = w >= h ? { x, y: y + at, w: thick, h: long } : { x: x + at, y, w: long, h: thick };
      at += long;
    }
    if (w >= h) {
      x += thick;
      w -= thick;
    } else {
      y += thick;
      h -= thick;
    }
    from = to;
  }
  return boxes;
}
