//! Traps of Lua.

use insta::assert_snapshot;

views_of!("Lua");

#[test]
fn functions_are_values() {
    let text = "\
local M = {}
function M.a() return 1 end
M.b = function(x)
  return x
end
function M:c() end
local d = function() end
local e, f = function() end, 1
M[1] = function() end
M[\"g.h\"] = function() end
local t = { i = function() end, [\"j k\"] = function() end, [M.l] = function() end, m = { n = function() end } }
setmetatable(M, { __call = function() end })
return { o = function() end }
";
    assert_snapshot!(symbol_list(text), @r#"
    variable M 1-1 private
    function M.a 2-2 public
    function M.b 3-5 public
    method M.c 6-6 public
    function d 7-7 private
    function e 8-8 private
    function M[1] 9-9 public
    function M["g.h"] 10-10 public
    variable t 11-11 private
    function t.i 11-11 public
    function t.j k 11-11 public
    function t.M.l 11-11 public
    field t.m 11-11 public
    function t.m.n 11-11 public
    function __call 12-12 public
    function o 13-13 public
    "#);
    assert_snapshot!(bones(text), @r#"
    local M = {}
    function M.a() return 1 end
    M.b = function(x)
      -- …
    end
    function M:c() end
    local d = function() end
    local e, f = function() end, 1
    M[1] = function() end
    M["g.h"] = function() end
    local t = { i = function() end, ["j k"] = function() end, [M.l] = function() end, m = { n = function() end } }
    setmetatable(M, { __call = function() end })
    return { o = function() end }
    "#);
}

#[test]
fn callbacks_lose_their_code_and_keep_their_functions() {
    let text = "\
describe(\"x\", function()
  local state = 1
  local function helper()
    return state
  end
  it(\"y\", function()
    assert(helper())
  end)
end)
it(\"z\", function()
  assert(true)
end)
";
    assert_snapshot!(symbol_list(text), @"function helper 3-5 private");
    assert_snapshot!(bones(text), @r#"
    describe("x", function()
      -- …
      local function helper()
        -- …
      end
      -- …
    end)
    it("z", function()
      -- …
    end)
    "#);
}

#[test]
fn conditional_definitions_are_all_told() {
    let text = "\
if jit then
  function f() end
elseif x then
  f = function() end
else
  local function f() end
end
for i = 1, 2 do g[i] = function() end end
f = f or function() end
";
    assert_snapshot!(symbol_list(text), @"
    function f 2-2 public
    function f 4-4 public
    function f 6-6 private
    function g[i] 8-8 public
    variable f 9-9 public
    ");
}

#[test]
fn comments_above_are_documentation() {
    let text = "\
--- One.
-- More.
local function one()
  -- inside
  return 1 -- behind
  -- last
end

--[[ Two. ]]
function two()
  -- first

  -- of three
  local function three()
    return 3
  end
end
";
    assert_snapshot!(symbol_list(text), @r#"
    function one 3-7 private "--- One.\n-- More."
    function two 10-17 public "--[[ Two. ]]"
    function two.three 14-16 private "-- of three"
    "#);
    assert_snapshot!(bones(text), @"
    --- One.
    -- More.
    local function one()
      -- …
    end

    --[[ Two. ]]
    function two()
      -- …

      -- of three
      local function three()
        -- …
      end
    end
    ");
}

#[test]
fn a_comment_takes_no_code_along() {
    let text = "\
function f() return 1 end function g()
  return 2 end
local h = function()
  return 3
end local x = 1
";
    assert_snapshot!(bones(text), @"
    function f() return 1 end function g()
      return 2 end
    local h = function()
      -- …
    end local x = 1
    ");
}

#[test]
fn locals_of_a_file_are_values() {
    let text = "\
local a <const>, b = 1, 2
local c
LOUD = 3
M.d = 4
do local e = 5 end
local größe = function() end
";
    assert_snapshot!(symbol_list(text), @"
    variable a 1-1 private
    variable b 1-1 private
    variable c 2-2 private
    constant LOUD 3-3 public
    field M.d 4-4 public
    function größe 6-6 private
    ");
}

#[test]
fn any_text_gives_a_view() {
    for text in ["", "\n", "\u{feff}", "}}}}((", "\"", "\u{0}"] {
        assert_eq!(symbol_list(text), "", "{text:?}");
        assert_eq!(bones(text), text);
    }
}

#[test]
fn tables_that_hold_functions_are_named_at_every_level() {
    let text = "\
local M = {
    users = { list = function(page) end },
    [\"posts\"] = { list = function(page) end },
    sizes = { small = { 1, 2 } },
}
function M.setup()
    return { on = { close = function() end } }
end
";
    assert_snapshot!(symbol_list(text), @"
    variable M 1-5 private
    field M.users 2-2 public
    function M.users.list 2-2 public
    field M.posts 3-3 public
    function M.posts.list 3-3 public
    function M.setup 6-8 public
    field M.setup.on 7-7 public
    function M.setup.on.close 7-7 public
    ");
}

#[test]
fn several_functions_in_one_assignment() {
    let text = "\
local a, b = function() go() end, function()
  go()
  go()
end
M.x, M.y = function() go() end, function()
  go()
  go()
end
";
    assert_snapshot!(symbol_list(text), @"
    function a 1-4 private
    function b 1-4 private
    function M.x 5-8 public
    function M.y 5-8 public
    ");
    assert_snapshot!(bones(text), @"
    local a, b = function() go() end, function()
      -- …
    end
    M.x, M.y = function() go() end, function()
      -- …
    end
    ");
}
