; C++, before the rules of C: what is said here is said first.
(access_specifier) @section
(template_declaration) @wrapper
(friend_declaration [(function_definition)]) @wrapper

(namespace_definition name: (_) @name body: (declaration_list) @body) @namespace
(class_specifier name: (_) @name body: (field_declaration_list) @body) @class
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @type

; Constructors: what they initialize goes with the body.
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier))
  (pointer_declarator (function_declarator declarator: (qualified_identifier)))
  (reference_declarator (function_declarator declarator: (qualified_identifier)))
  (qualified_identifier)
] @name (field_initializer_list)? @end body: (compound_statement) @body) @method
(function_definition declarator: (_) @name (field_initializer_list)? @end body: (compound_statement) @body) @function
; `try { … } catch (…) { … }` for a body: the handlers are emptied too.
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier))
  (pointer_declarator (function_declarator declarator: (qualified_identifier)))
  (reference_declarator (function_declarator declarator: (qualified_identifier)))
] @name (try_statement (field_initializer_list)? @end body: (compound_statement) @body)) @method
(function_definition declarator: (_) @name
  (try_statement (field_initializer_list)? @end body: (compound_statement) @body)) @function
(catch_clause body: (compound_statement) @body) @anonymous
; `= default`
(function_definition declarator: (function_declarator declarator: (qualified_identifier)) @name) @method
(function_definition declarator: (_) @name) @function
(declaration declarator: [
  (function_declarator)
  (reference_declarator (function_declarator))
] @name) @function
(field_declaration declarator: [
  (function_declarator declarator: [(operator_name) (template_method) (destructor_name)])
  (reference_declarator (function_declarator))
] @name) @function

; What has no name outside of the file is for the file.
(namespace_definition !name "namespace" @closed) @inside
[(namespace_definition) (class_specifier) (friend_declaration) (try_statement)] @inside
