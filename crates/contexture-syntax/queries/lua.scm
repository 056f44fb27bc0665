; Lua. Functions are values: they stand in assignments, tables, arguments and results, so those are walked; of operators
; only what a fallback looks like (`f = f or function() end`).
["function"] @word
(comment) @comment
(block) @block
(do_statement) @inside
(while_statement) @inside
(repeat_statement) @inside
(if_statement) @inside
(elseif_statement) @inside
(else_statement) @inside
(for_statement) @inside
(return_statement) @inside
(expression_list) @inside
(function_call) @inside
(arguments) @inside
(parenthesized_expression) @inside
(table_constructor) @inside
(binary_expression) @inside

; `function f`, `function M.f`; the path before the last name is told by the name itself.
(function_declaration name: [(identifier) (dot_index_expression)] @name body: (block)? @body "end" @end) @function
(function_declaration
  name: (method_index_expression table: (_) @scope method: (identifier) @name)
  body: (block)? @body "end" @end) @method

; `local` belongs to what it declares. Values in blocks and callbacks are no symbols.
(variable_declaration (assignment_statement (expression_list . value: (function_definition)))) @wrapper
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier)+ @name)+)) @variable)
(chunk (variable_declaration (variable_list name: (identifier)+ @name)) @variable)
(variable_declaration) @inside

; Where all are functions, all names are; their bodies are met as those of functions without names.
(assignment_statement
  (variable_list "," name: [(identifier) (dot_index_expression)]+ @name)
  "=" @end
  (expression_list value: (function_definition) . "," . value: (function_definition))) @function
; Else only the first name can be told from the first value.
(assignment_statement
  (variable_list . name: [(identifier) (dot_index_expression) (bracket_index_expression)] @name)
  (expression_list . value: (function_definition body: (block)? @body "end" @end))) @function
(chunk (assignment_statement (variable_list name: (identifier)+ @name)) @variable)
(chunk (assignment_statement (variable_list name: (dot_index_expression)+ @name)) @field)
(assignment_statement) @inside

; In tables only functions are symbols, and the tables that hold them: a table of data may have thousands of keys.
(field name: [(identifier) (dot_index_expression)] @name value: (table_constructor)) @field.everywhere.filled
(field name: (string content: (string_content) @name) value: (table_constructor)) @field.everywhere.filled
(field name: [(identifier) (dot_index_expression)] @name value: (function_definition body: (block)? @body "end" @end)) @function
(field name: (string content: (string_content) @name) value: (function_definition body: (block)? @body "end" @end)) @function
(field) @inside

(function_definition body: (block)? @body) @anonymous
