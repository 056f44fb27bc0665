//! Presets and personas, as tables by name or as lists with a `name` in each.

use super::{Draft, NO_PLACE};
use crate::config::layer::dotted;
use crate::config::node::{Data, Field, Node};

/// What a model of a persona has.
const MODEL: [&str; 5] = ["provider", "model", "temperature", "top_p", "max_output_tokens"];

/// What presets have and personas have not.
const OF_PRESETS: [&str; 4] = ["description", "files", "paths", "screenshots"];

impl Draft<'_> {
    pub(super) fn people(&mut self, section: &Field) {
        let is_persona = section.key == "personas";
        let mut one = |name: &str, node: &Node, from: String, at: usize| match node.as_map() {
            Some(fields) if is_persona => drop(self.persona(name, fields, &from)),
            // Presets of system prompts are another thing under the same name: what they hold, a persona has.
            Some(fields) if fields.iter().any(|field| field.key == "system_prompt") => {
                self.persona_with_preset(name, fields, &from)
            }
            Some(fields) => drop(self.preset(name, fields, &from)),
            None => self.leave(&from, at, NO_PLACE),
        };
        match &section.node.data {
            Data::Map(named) => {
                for field in named {
                    one(&field.key, &field.node, dotted(&[&section.key, &field.key]), field.key_at);
                }
            }
            Data::List(list) => {
                for (index, node) in list.iter().enumerate() {
                    let from = format!("{}[{index}]", dotted(&[&section.key]));
                    let name = node.get("name").and_then(Node::as_text).unwrap_or_default();
                    one(name, node, from, node.at.0);
                }
            }
            _ => self.leave(&dotted(&[&section.key]), section.key_at, NO_PLACE),
        }
    }

    /// A preset with a system prompt: a persona, and where it holds files, too, a preset of the same name that the persona names.
    fn persona_with_preset(&mut self, name: &str, fields: &[Field], from: &str) {
        let is_said = |field: &&Field| !is_empty(&field.node);
        let (shown, rest): (Vec<Field>, Vec<Field>) =
            fields.iter().filter(is_said).cloned().partition(|field| OF_PRESETS.contains(&field.key.as_str()));
        let names_another = rest.iter().any(|field| field.key == "context_preset");
        if names_another || shown.iter().all(|field| field.key == "description") {
            self.persona(name, &[rest, shown].concat(), from);
            return;
        }
        let is_kept = self.preset(name, &shown, from);
        if self.persona(name, &rest, from) && is_kept {
            let at = rest.first().map_or(0, |field| field.key_at);
            self.put(&["personas", name, "context_preset"], &name.into(), from, at);
        }
    }

    /// Whether its name was free.
    fn preset(&mut self, name: &str, fields: &[Field], from: &str) -> bool {
        if !self.name("presets", name, from, fields) {
            return false;
        }
        for field in fields {
            let from = within(from, field);
            match field.key.as_str() {
                "name" if field.node.as_text() == Some(name) => {}
                "description" if field.node.as_text() == Some("") => {}
                "description" => self.put(&["presets", name, "description"], &field.node, &from, field.key_at),
                "files" | "paths" => self.entries(&["presets", name, "files"], &field.node, &from),
                "screenshots" => self.pictures(&["presets", name, "screenshots"], &field.node, &from),
                _ => self.leave(&from, field.key_at, NO_PLACE),
            }
        }
        true
    }

    /// Whether its name was free.
    fn persona(&mut self, name: &str, fields: &[Field], from: &str) -> bool {
        if !self.name("personas", name, from, fields) {
            return false;
        }
        for field in fields {
            let from = within(from, field);
            match field.key.as_str() {
                "name" if field.node.as_text() == Some(name) => {}
                // A name that is not set.
                "context_preset" | "aggregation_strategy" if field.node.as_text() == Some("") => {}
                "system_prompt" | "context_preset" | "aggregation_strategy" | "tier" | "budget" => {
                    self.put(&["personas", name, &field.key], &field.node, &from, field.key_at);
                }
                "preferred_models" => self.models(name, &field.node, &from),
                key if MODEL.contains(&key) => {}
                _ => self.leave(&from, field.key_at, NO_PLACE),
            }
        }
        self.own_model(name, fields, from);
        true
    }

    fn models(&mut self, name: &str, node: &Node, from: &str) {
        let Some(list) = node.as_list() else { return self.leave(from, node.at.0, "is no list and was left out") };
        let mut taken = Vec::new();
        for (index, node) in list.iter().enumerate() {
            let from = format!("{from}[{index}]");
            let Some(fields) = node.as_map() else {
                self.leave(&from, node.at.0, "is no table with `provider` and `model` and was left out");
                continue;
            };
            let (model, rest): (Vec<&Field>, Vec<&Field>) =
                fields.iter().partition(|field| MODEL.contains(&field.key.as_str()));
            rest.iter().for_each(|field| self.leave(&within(&from, field), field.key_at, NO_PLACE));
            taken.extend(self.model(name, model.into_iter().cloned().collect(), &from, node.at.0));
        }
        if !taken.is_empty() || list.is_empty() {
            self.put(&["personas", name, "preferred_models"], &Data::List(taken).into(), from, node.at.0);
        }
    }

    /// Older personas have one model, and its fields are their own.
    fn own_model(&mut self, name: &str, fields: &[Field], from: &str) {
        let own: Vec<Field> = fields.iter().filter(|field| MODEL.contains(&field.key.as_str())).cloned().collect();
        let Some(at) = own.first().map(|field| field.key_at) else { return };
        if !["provider", "model"].iter().all(|needed| own.iter().any(|field| field.key == *needed)) {
            let why = "was left out: it is of no model, which has a `provider` and a `model`";
            own.iter().for_each(|field| self.leave(&within(from, field), field.key_at, why));
            return;
        }
        if let Some(model) = self.model(name, own, from, at) {
            let list = Data::List(vec![model]).into();
            self.put(&["personas", name, "preferred_models"], &list, &format!("{from}.model"), at);
        }
    }

    /// A model, if our own reader takes it; the fields that it does not take are told.
    fn model(&mut self, name: &str, mut fields: Vec<Field>, from: &str, at: usize) -> Option<Node> {
        let reads = |fields: &[Field]| {
            let list: Node = Data::List(vec![Data::Map(fields.to_vec()).into()]).into();
            crate::config::personas::models(&list, name).map(drop)
        };
        let is_needed = |field: &Field| matches!(field.key.as_str(), "provider" | "model");
        let needed: Vec<Field> = fields.iter().filter(|field| is_needed(field)).cloned().collect();
        if reads(&needed).is_err() {
            self.leave(from, at, "names no model with a provider: its model was left out");
            return None;
        }
        fields.retain(|field| {
            let alone: Vec<Field> =
                needed.iter().filter(|other| other.key != field.key).chain([field]).cloned().collect();
            let taken = reads(&alone);
            if let Err(problem) = &taken {
                self.leave(&within(from, field), field.key_at, &format!("was left out: {}", problem.cause));
            }
            taken.is_ok()
        });
        let provider = fields.iter().find(|field| field.key == "provider");
        if let Some((field, provider)) = provider.and_then(|field| Some((field, field.node.as_text()?))) {
            self.providers.push((provider.to_owned(), self.line_of(field.key_at)));
        }
        Some(Data::Map(fields).into())
    }

    /// Whether the name is free; it is taken from now on.
    fn name(&mut self, section: &'static str, name: &str, from: &str, fields: &[Field]) -> bool {
        let at = fields.first().map_or(0, |field| field.key_at);
        if name.is_empty() {
            self.leave(from, at, "has no name and was left out");
            return false;
        }
        if !self.taken.insert((section, name.to_owned())) {
            self.leave(from, at, "was left out: the name is taken already");
            return false;
        }
        self.names.push((section, name.to_owned()));
        true
    }
}

/// What messages call a field of something.
fn within(from: &str, field: &Field) -> String {
    format!("{from}.{}", dotted(&[&field.key]))
}

/// A text or a list with nothing in it.
fn is_empty(node: &Node) -> bool {
    node.as_text() == Some("") || node.as_list().is_some_and(<[Node]>::is_empty)
}
