; C, and the part of C++ that is C. The text was prepared: a type is one word, bodies and values are blank, conditions are
; decided, so that what is listed here is all that can hold a definition.
(comment) @comment

; Macros. A value of several lines goes as a body does when it is code; when it is none, it was made a comment.
(preproc_def name: (identifier) @name !value (comment) @end) @macro
(preproc_function_def name: (identifier) @name !value (comment) @end) @macro
(preproc_def name: (identifier) @name value: (preproc_arg)? @value) @macro
(preproc_function_def name: (identifier) @name parameters: (preproc_params) value: (preproc_arg)? @value) @macro

; Functions. One without a type has its name where the type would be.
(function_definition type: (type_identifier) @name declarator: (identifier) body: (compound_statement) @body) @function
(function_definition declarator: (_) @name body: (compound_statement) @body) @function
(declaration declarator: [
  (function_declarator declarator: (identifier))
  (pointer_declarator declarator: (function_declarator))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator)))
] @name) @function

; Types. One that is named only by its `typedef` has that name.
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (_) @name) @struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (_) @name) @union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (_) @name) @enum
(type_definition type: (_ body: (_) @end) declarator: (_) @name) @type.beside
(type_definition type: (_ !body) declarator: (_) @name) @type.beside
(struct_specifier name: (_) @name body: (field_declaration_list) @body) @struct
(union_specifier name: (_) @name body: (field_declaration_list) @body) @union
(enum_specifier name: (_) @name body: (enumerator_list) @body) @enum
(enumerator name: (identifier) @name) @variant

; Values. A type that is defined on the way is no part of them, unless it has no name.
(declaration type: [(struct_specifier !name body: (_) @end) (union_specifier !name body: (_) @end)] declarator: (_) @name) @variable
(declaration type: (_ body: (_) @end) declarator: (_) @name) @variable.beside
(declaration (type_qualifier "constexpr") type: (_ !body) declarator: (_) @name) @constant
(declaration type: (_ !body) declarator: (_) @name) @variable.beside
(field_declaration declarator: [
  (function_declarator declarator: (field_identifier))
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier)))
] @name) @function
(field_declaration type: [(struct_specifier !name body: (_) @end) (union_specifier !name body: (_) @end)] declarator: (_) @name) @field
(field_declaration type: (_ body: (_) @end) declarator: (_) @name) @field.beside
(field_declaration type: (_ !body) declarator: (_) @name) @field.beside

(linkage_specification body: [(function_definition) (declaration)]) @wrapper
[
  (linkage_specification) (declaration_list) (declaration) (type_definition) (field_declaration)
  (struct_specifier) (union_specifier) (enum_specifier) (field_declaration_list) (enumerator_list) (compound_statement)
] @inside
