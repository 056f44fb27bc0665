package tide

/** Levels by station. */
class Archive(levels: Map[String, Seq[Double]]) {
  def mean(station: String): Option[Double] =
    levels.get(station).filter(_.nonEmpty).map(all => all.sum / all.size)
}

object Archive {
  val empty = new Archive(Map.empty)
}
