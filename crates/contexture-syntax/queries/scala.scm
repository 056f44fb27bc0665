; Scala, 2 and 3. Members stand in templates, local definitions in blocks and in the `new` of any expression; code is
; entered only where one of these words stands in it.
["def" "class" "trait" "object" "enum" "type" "given"] @word
[(comment) (block_comment)] @comment
(annotation) @attribute
(modifiers) @inside

(package_clause name: (package_identifier) @name body: (template_body)? @body) @namespace
(package_object name: (_) @name body: (template_body)? @body) @object
(class_definition "case"? @members name: (_) @name body: (template_body)? @body) @class
(trait_definition name: (_) @name body: (template_body)? @body) @trait
(object_definition name: (_) @name body: (template_body)? @body) @object
(enum_definition name: (_) @name body: (enum_body) @body) @enum
(enum_body) @inside
(enum_case_definitions) @inside
(simple_enum_case name: (_) @name) @variant
(full_enum_case name: (_) @name) @variant
(template_body) @inside
(with_template_body) @inside
; All parameters of a case class are fields, but for those that are passed by themselves.
(class_parameters ["using" "implicit"]) @inside.apart
(class_parameters) @inside
(class_parameter ["val" "var"] name: (_) @name) @field
(class_parameter name: (_) @name) @field.member
(type_definition name: (_) @name) @type

; An extension is named after the type of what it extends.
(extension_definition
  parameters: (parameters !"using" (parameter type: [(generic_type type: (_) @name) (_) @name]))
  body: ["{" (_)] @end) @extension
(extension_definition) @inside
(given_definition name: (_) @name body: [(template_body) (with_template_body)] @body) @object
(given_definition name: (_) @name body: (_)? @value) @constant
(given_definition) @inside

(function_definition name: (_) @name body: (block) @body) @function
(function_definition name: (_) @name body: (_) @value) @function
(function_declaration name: (_) @name) @function

; A block that makes a value runs as a body does.
(val_definition
  pattern: [(identifier) (operator_identifier)] @name
  value: [(block) @body (lambda_expression (block) @body)]) @variable
(var_definition pattern: [(identifier) (operator_identifier)] @name value: (block) @body) @variable
(val_definition pattern: [(identifier) (operator_identifier)] @name) @variable
(var_definition pattern: [(identifier) (operator_identifier)] @name) @variable
(val_definition pattern: (identifiers (_)+ @name)) @variable
(var_definition pattern: (identifiers (_)+ @name)) @variable
(val_declaration name: (_) @name) @variable
(var_declaration name: (_) @name) @variable
(val_definition) @inside
(var_definition) @inside

; `test("…") { … }`
(call_expression arguments: (block) @body) @anonymous
(block) @block
[(indented_block) (instance_expression) (call_expression) (generic_function) (field_expression) (infix_expression)] @inside
[(arguments) (parenthesized_expression) (tuple_expression) (assignment_expression) (ascription_expression)] @inside
[(return_expression) (throw_expression) (postfix_expression) (lambda_expression) (colon_argument)] @inside
[(if_expression) (while_expression) (do_while_expression) (for_expression) (try_expression) (catch_clause)] @inside
[(finally_clause) (match_expression) (case_block) (indented_cases) (case_clause)] @inside
