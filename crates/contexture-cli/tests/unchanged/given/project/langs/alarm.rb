# Rings when the water is high.
module Tide
  class Alarm
    attr_reader :limit

    def initialize(limit)
      @limit = limit
    end

    def ring?(level)
      level > limit
    end
  end
end
