-- Moves a buoy with the level.
local Buoy = {}
Buoy.__index = Buoy

function Buoy.new(name)
  return setmetatable({ name = name, height = 0 }, Buoy)
end

function Buoy:rise(level)
  self.height = self.height + level
end

return Buoy
