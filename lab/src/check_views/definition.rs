//! Whether a syntax tree shows a definition where ctags names one.
//!
//! Takes the node of a name; gives nothing when it is the name of something that can be called or instantiated, else what it
//! is. Only for languages whose grammars mark names by fields; it decides what counts as a mistake of ctags, so in doubt it
//! says that there is a definition.

use tree_sitter::Node;

const LANGUAGES: &[&str] = &["javascript", "typescript", "tsx", "java", "csharp", "go", "kotlin"];

/// Told of a word that can name nothing.
pub const KEYWORD: &str = "a keyword";

/// What stands there instead of a definition.
pub fn missing(key: &str, kind: &str, node: Node) -> Option<&'static str> {
    if !LANGUAGES.contains(&key) {
        return None;
    }
    if !node.is_named() && node.kind().chars().all(char::is_alphabetic) {
        return Some(KEYWORD);
    }
    // A key in quotes is named by what stands between them.
    let mut node = node;
    while let Some(outer) = node.parent().filter(|_| node.kind().starts_with("string")) {
        if !outer.kind().starts_with("string") {
            break;
        }
        node = outer;
    }
    let told = instead(node);
    // ctags takes objects with members, and functions with properties, for classes.
    if kind == "class" && key == "javascript" { told.map(|_| "an object for a class") } else { told }
}

fn instead(node: Node) -> Option<&'static str> {
    let parent = node.parent()?;
    let is = |field: &str| parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id());
    match parent.kind() {
        "variable_declarator" | "field_definition" | "public_field_definition" => {
            value(parent.child_by_field_name("value"))
        }
        "pair" if is("key") => value(parent.child_by_field_name("value")),
        "assignment_expression" if is("left") => value(parent.child_by_field_name("right")),
        "member_expression" | "subscript_expression" if is("property") || is("index") => member(parent),
        "computed_property_name" => value(parent.parent().and_then(|pair| pair.child_by_field_name("value"))),
        "member_access_expression" | "member_binding_expression" | "invocation_expression" | "call_expression" => {
            Some("a call")
        }
        "type_parameter" => Some("a type parameter"),
        _ if is("name") || is("type") && parent.kind().contains("operator") => None,
        _ => Some("a name that is used"),
    }
}

/// `a.b = function` and `a[b] = function` define `b`; any other use of a member does not.
fn member(member: Node) -> Option<&'static str> {
    let parent = member.parent().filter(|parent| parent.kind() == "assignment_expression");
    match parent.and_then(|parent| Some((parent.child_by_field_name("left")?, parent.child_by_field_name("right")))) {
        Some((left, right)) if left.id() == member.id() => value(right),
        _ => Some("a name that is used"),
    }
}

fn value(value: Option<Node>) -> Option<&'static str> {
    let mut value = value;
    // `a = b = function` gives the function both names.
    while let Some(node) =
        value.filter(|node| matches!(node.kind(), "assignment_expression" | "parenthesized_expression"))
    {
        value = node.child_by_field_name("right").or_else(|| node.named_child(0));
    }
    let is_code = value.is_some_and(|node| node.kind().contains("function") || node.kind().starts_with("class"));
    (!is_code).then_some("something assigned that is no function")
}
