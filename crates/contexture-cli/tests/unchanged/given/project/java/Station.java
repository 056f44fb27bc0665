package tide;

import java.util.ArrayList;
import java.util.List;

/** A station as the archive stores it. */
public class Station {
    private final String name;
    private final List<Double> levels = new ArrayList<>();

    public Station(String name) {
        this.name = name;
    }

    /** Adds a level and returns the station. */
    public Station add(double level) {
        levels.add(level);
        return this;
    }

    public double highest() {
        double best = Double.NEGATIVE_INFINITY;
        for (double level : levels) {
            best = Math.max(best, level);
        }
        return best;
    }

    enum State { CALM, RISING, FLOOD }
}
