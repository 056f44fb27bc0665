; Kotlin. Definitions stand in classes, in the blocks of functions, and in the object literals and lambdas of expressions;
; an expression is entered only where one of these words stands in it.
["fun" "class" "object" "interface" "typealias"] @word
[(line_comment) (block_comment)] @comment
(annotation) @attribute
; Above a function of a file, `@A("x")` is read as an expression, the last of several as `@A` before `("x")`.
(annotated_expression (parenthesized_expression) .) @attribute
(annotated_expression (annotated_expression (parenthesized_expression) .) .) @attribute
(annotated_expression (annotated_expression (annotated_expression (parenthesized_expression) .) .) .) @attribute
(modifiers) @inside

(package_header (qualified_identifier) @name) @namespace

; Braces say what an enumeration is, a word what an interface is.
(class_declaration name: (identifier) @name (enum_class_body) @body) @enum
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @interface
(class_declaration name: (identifier) @name (class_body)? @body) @class
(object_declaration name: (identifier) @name (class_body)? @body) @object
(companion_object name: (identifier) @name (class_body)? @body) @object
; Members of a companion without a name are called as members of its class.
(companion_object) @inside
(class_body) @inside
(enum_class_body) @inside
(enum_entry (identifier) @name (class_body)? @body) @variant
(primary_constructor) @inside
(class_parameters) @inside
(class_parameter ["val" "var"] . (identifier) @name) @field
(type_alias type: (identifier) @name) @type

(function_declaration name: (_) @name (function_body (block) @body)) @function
(function_declaration name: (_) @name (function_body . (_) @value)) @function
(function_declaration name: (_) @name) @function
(secondary_constructor "constructor" @name (block)? @body) @method
(anonymous_initializer (block) @body) @anonymous
(anonymous_function (function_body (block) @body)) @anonymous
(anonymous_function (function_body . (_) @value)) @anonymous

(property_declaration (modifiers (property_modifier)) (variable_declaration (identifier) @name)) @constant
; A lambda that takes nothing runs as a body does; the names of what it takes would be lost with it.
(property_declaration (variable_declaration (identifier) @name) (lambda_literal !"->") @body) @variable
(property_declaration (variable_declaration (identifier) @name)) @variable
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @name))) @variable
(property_declaration) @inside
; `by lazy { … }`: a lambda that computes a property.
(property_delegate (call_expression (annotated_lambda (lambda_literal) @body))) @anonymous
(property_delegate) @inside
(getter (function_body (block) @body)) @anonymous
(getter (function_body . (_) @value)) @anonymous
(setter (function_body (block) @body)) @anonymous
(setter (function_body . (_) @value)) @anonymous

(function_body) @inside
(block) @block
(for_statement) @inside
(while_statement) @inside
(do_while_statement) @inside
(if_expression) @inside
(when_expression) @inside
(when_entry) @inside
(try_expression) @inside
(catch_block) @inside
(finally_block) @inside
(assignment) @inside
(return_expression) @inside
(throw_expression) @inside
(call_expression) @inside
(navigation_expression) @inside
(value_arguments) @inside
(value_argument) @inside
(annotated_lambda) @inside
(lambda_literal) @inside
(object_literal) @inside
(parenthesized_expression) @inside
(binary_expression) @inside
; Below annotations, `public class B` and `public fun f() { … }` are read as infix calls.
(annotated_expression) @decorated
(infix_expression (identifier =class) . (identifier) @name) @class
(infix_expression (identifier =interface) . (identifier) @name) @interface
(infix_expression (identifier =object) . (identifier) @name) @object
(infix_expression
  (identifier =fun) . (call_expression
    (call_expression . (identifier) @name)
    (annotated_lambda (lambda_literal) @body))) @function
(infix_expression (identifier =fun) . (call_expression . (identifier) @name)) @function
(infix_expression) @inside
(as_expression) @inside
(labeled_expression) @inside
(delegation_specifiers) @inside
(delegation_specifier) @inside
(constructor_invocation) @inside
(explicit_delegation) @inside
