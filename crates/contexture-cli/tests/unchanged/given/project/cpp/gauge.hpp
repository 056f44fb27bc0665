#pragma once

#include <string>
#include <vector>

namespace tide {

/// A gauge that remembers its readings.
class Gauge {
public:
    explicit Gauge(std::string name) : name_(std::move(name)) {}

    void add(double level) { levels_.push_back(level); }

    template <typename Visitor>
    void each(Visitor visit) const {
        for (double level : levels_) {
            visit(level);
        }
    }

    double highest() const;

private:
    std::string name_;
    std::vector<double> levels_;
};

inline double Gauge::highest() const {
    double best = 0;
    each([&](double level) { best = level > best ? level : best; });
    return best;
}

}  // namespace tide
