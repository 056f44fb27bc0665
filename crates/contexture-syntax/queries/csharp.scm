; C#. Functions stand in functions, so statements are walked; expressions are not.
(comment) @comment
(attribute_list) @attribute
[
  (declaration_list) (enum_member_declaration_list) (accessor_list)
  (preproc_if) (preproc_elif) (preproc_else)
  (global_statement) (block)
  (if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement)
  (switch_statement) (switch_body) (switch_section)
  (try_statement) (catch_clause) (finally_clause)
  (using_statement) (lock_statement) (fixed_statement) (unsafe_statement) (checked_statement)
] @inside

(namespace_declaration name: (_) @name body: (declaration_list) @body) @namespace
; `namespace A;` holds for the rest of the file.
(file_scoped_namespace_declaration name: (_) @name) @namespace.rest

(class_declaration name: (identifier) @name body: (declaration_list)? @body) @class
(struct_declaration name: (identifier) @name body: (declaration_list)? @body) @struct
(record_declaration "struct" name: (identifier) @name body: (declaration_list)? @body) @struct
(record_declaration name: (identifier) @name body: (declaration_list)? @body) @class
(interface_declaration name: (identifier) @name body: (declaration_list)? @body) @interface
(enum_declaration name: (identifier) @name body: (enum_member_declaration_list)? @body) @enum
(enum_member_declaration name: (identifier) @name) @variant
(delegate_declaration name: (identifier) @name) @type
(using_directive name: (identifier) @name) @type

; `void IShape.Draw()` belongs to the interface that it names.
(method_declaration (explicit_interface_specifier . (_) @scope)? name: (identifier) @name body: (block) @body) @method
(method_declaration (explicit_interface_specifier . (_) @scope)? name: (identifier) @name body: (arrow_expression_clause . (_) @value)) @method
(method_declaration (explicit_interface_specifier . (_) @scope)? name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name body: (block) @body) @method
(constructor_declaration name: (identifier) @name body: (arrow_expression_clause . (_) @value)) @method
(constructor_declaration name: (identifier) @name) @method
(destructor_declaration "~" @lead name: (identifier) @name body: (block) @body) @method
(destructor_declaration "~" @lead name: (identifier) @name body: (arrow_expression_clause . (_) @value)) @method
(destructor_declaration "~" @lead name: (identifier) @name) @method
; An operator is called `operator +`, a conversion `operator int`.
(operator_declaration "operator" @lead operator: ["!" "~" "++" "--" "true" "false" "+" "-" "*" "/" "%" "^" "|" "&" "<<" ">>" ">>>" "==" "!=" ">" "<" ">=" "<="] @name body: (block) @body) @method
(operator_declaration "operator" @lead operator: ["!" "~" "++" "--" "true" "false" "+" "-" "*" "/" "%" "^" "|" "&" "<<" ">>" ">>>" "==" "!=" ">" "<" ">=" "<="] @name body: (arrow_expression_clause . (_) @value)) @method
(operator_declaration "operator" @lead operator: ["!" "~" "++" "--" "true" "false" "+" "-" "*" "/" "%" "^" "|" "&" "<<" ">>" ">>>" "==" "!=" ">" "<" ">=" "<="] @name) @method
(conversion_operator_declaration "operator" @lead type: (_) @name body: (block) @body) @method
(conversion_operator_declaration "operator" @lead type: (_) @name body: (arrow_expression_clause . (_) @value)) @method
(conversion_operator_declaration "operator" @lead type: (_) @name) @method
(local_function_statement name: (identifier) @name body: (block) @body) @function
(local_function_statement name: (identifier) @name body: (arrow_expression_clause . (_) @value)) @function

(property_declaration name: (identifier) @name value: (lambda_expression body: (block) @body)) @field
(property_declaration (explicit_interface_specifier . (_) @scope)? name: (identifier) @name) @field
(indexer_declaration (explicit_interface_specifier . (_) @scope)? "this" @name) @field
(accessor_declaration body: (block) @body) @anonymous
; The expression of a property, an accessor or a finalizer.
(arrow_expression_clause . (_) @value) @anonymous
(accessor_declaration) @inside
(event_declaration (explicit_interface_specifier . (_) @scope)? name: (identifier) @name) @field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name)+)) @field
(field_declaration (modifier =const) (variable_declaration (variable_declarator name: (identifier) @name)+)) @constant
; One that holds a function.
(field_declaration (variable_declaration type: (_) . (variable_declarator name: (identifier) @name [
  (lambda_expression body: (block) @body) (anonymous_method_expression (block) @body)]) .)) @field
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name)+)) @field
