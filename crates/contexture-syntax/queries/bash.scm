; Bash and its kin. Commands define nothing, so only what can hold a function is walked.
(comment) @comment
[
  (if_statement) (elif_clause) (else_clause)
  (for_statement) (c_style_for_statement) (while_statement) (do_group)
  (case_statement) (case_item)
  (compound_statement) (subshell)
  (list) (pipeline) (negated_command) (variable_assignments)
] @inside
; `{ … } >log` and `f() { … } <<EOF` stand in it; most redirections belong to plain commands, which are not entered.
(redirected_statement body: [(if_statement) (for_statement) (while_statement) (case_statement) (compound_statement) (subshell) (list) (function_definition)]) @inside

(function_definition name: (word) @name body: [(compound_statement) (subshell) (if_statement)] @body) @function
; A body that stands for one whose here-documents would be torn: it is never cut.
(function_definition name: (word) @name body: (test_command) @end) @function

; Settings at the top of a script. Inside functions they are locals and dropped.
(variable_assignment name: (variable_name) @name) @variable
; `readonly A=1 B=2`, `export PATH=…`, `declare -A map=()`.
(declaration_command (variable_assignment)) @wrapper
