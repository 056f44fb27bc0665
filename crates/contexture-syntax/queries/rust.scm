; Rust. Items stand in modules, implementations, traits and foreign blocks, and in any block of code.
; What a comment inside says is for what stands around it, not for what follows.
[(line_comment !inner) (block_comment !inner)] @comment
[(line_comment inner: (_)) (block_comment inner: (_)) (inner_attribute_item)] @preface
(attribute_item) @attribute

(mod_item name: (identifier) @name body: (declaration_list)? @body) @module
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @struct
; What a tuple holds is told by the head itself.
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name body: (field_declaration_list) @body) @union
(enum_item name: (type_identifier) @name body: (enum_variant_list) @body) @enum
(enum_variant name: (identifier) @name) @variant
(field_declaration name: (field_identifier) @name) @field
(trait_item name: (type_identifier) @name body: (declaration_list) @body) @trait
; Who sees a trait sees what implements it.
(impl_item trait: (_) @open type: [(reference_type type: (_) @name) (dynamic_type trait: (_) @name) (_) @name] body: (declaration_list)? @body) @impl
(impl_item type: [(reference_type type: (_) @name) (dynamic_type trait: (_) @name) (_) @name] body: (declaration_list)? @body) @impl
(function_item name: (identifier) @name body: (block) @body) @function
(function_signature_item name: (identifier) @name) @function
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(const_item name: (identifier) @name) @constant.everywhere
(static_item name: (identifier) @name) @variable.everywhere
(macro_definition name: (identifier) @name ["{" "(" "["] @end) @macro

; The right side of a rule of a macro is its body, the left side is its signature.
(macro_rule right: (token_tree) @body) @anonymous
; The value of a lazy static is made by a closure.
(closure_expression body: (block) @body) @anonymous
(closure_expression) @inside

[(declaration_list) (field_declaration_list) (enum_variant_list) (foreign_mod_item) (ERROR)] @inside

["fn" "struct" "enum" "union" "trait" "impl" "type" "mod" "const" "static" "macro_rules!"] @word

; Code, as far as blocks can stand in it.
[
  (block) (unsafe_block) (async_block) (gen_block) (try_block) (const_block)
  (expression_statement) (let_declaration) (let_condition) (let_chain)
  (if_expression) (else_clause) (match_expression) (match_block) (match_arm)
  (while_expression) (loop_expression) (for_expression)
  (call_expression) (arguments) (field_expression) (await_expression) (try_expression)
  (assignment_expression) (compound_assignment_expr) (binary_expression) (unary_expression) (reference_expression)
  (return_expression) (break_expression) (yield_expression) (range_expression) (index_expression)
  (parenthesized_expression) (tuple_expression) (array_expression) (type_cast_expression)
  (struct_expression) (field_initializer_list) (field_initializer) (base_field_initializer)
] @inside
