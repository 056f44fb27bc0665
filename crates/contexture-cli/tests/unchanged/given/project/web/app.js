// Draws the chart of one station.
import { Gauge } from "./gauge";

const canvas = document.querySelector("canvas");

export async function draw(station) {
  const answer = await fetch(`/levels/${station}`);
  const gauge = new Gauge(await answer.json());
  const pen = canvas.getContext("2d");
  gauge.points(canvas.width, canvas.height).forEach(([x, y], index) => {
    if (index === 0) {
      pen.moveTo(x, y);
    } else {
      pen.lineTo(x, y);
    }
  });
  pen.stroke();
}

const refresh = () => draw(location.hash.slice(1));

window.addEventListener("hashchange", refresh);
