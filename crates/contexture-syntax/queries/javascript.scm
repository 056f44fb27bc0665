; JavaScript: what only its grammar has.
(using_declaration) @inside
(field_definition property: [(string (string_fragment) @name) (_) @name] value: [
  (function_expression body: (_) @body) (generator_function body: (_) @body)
  (arrow_function body: [(statement_block) @body (arrow_function body: [(statement_block) @body (_) @value]) (_) @value])
  ]) @method
(field_definition property: [(string (string_fragment) @name) (_) @name]) @field
