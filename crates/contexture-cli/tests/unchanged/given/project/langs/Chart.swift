import Foundation

/// A line of levels.
struct Chart {
    let levels: [Double]

    func highest() -> Double? {
        levels.max()
    }
}

extension Chart {
    var isEmpty: Bool { levels.isEmpty }
}
