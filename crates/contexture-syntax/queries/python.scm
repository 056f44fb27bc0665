; Python. Only statements are walked: an expression defines nothing but a lambda.
["def" "class" "type" "lambda"] @word
(comment) @comment
; The clauses of a match are no statements: nothing can stand for them.
(block . (case_clause)) @inside.everywhere
(block) @block
(module) @inside
(if_statement) @inside
(for_statement) @inside
(while_statement) @inside
(try_statement) @inside
(with_statement) @inside
(match_statement) @inside
; A clause without a definition beside one that has some: its block goes.
[(elif_clause) (else_clause) (except_clause) (finally_clause) (case_clause)] @inside.everywhere

(decorated_definition) @decorated
(function_definition name: (identifier) @name body: (block) @body) @function
(class_definition name: (identifier) @name body: (block) @body) @class
(type_alias_statement left: (type (identifier) @name)) @type
(type_alias_statement left: (type (generic_type . (identifier) @name))) @type
; A named lambda is a function to whoever calls it.
(expression_statement . (assignment left: (identifier) @name right: (lambda))) @function
(expression_statement . (assignment left: (identifier) @name)) @variable
