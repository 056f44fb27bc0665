//! Named ways of working: listed and shown. They are changed in the configuration itself.

use super::OpError;
use super::open::{Door, unknown};
use super::settings::config_of;
use contexture_gather::config::{Config, Persona, merged};

pub struct PersonaShown {
    pub persona: Persona,
    /// Whether the project has one of the same name, which is used instead.
    pub hidden: bool,
    /// Whether it hides a global one.
    pub shadows_global: bool,
    /// Whether it is used when nobody names one.
    pub usual: bool,
    /// Fields that it leaves to others.
    pub unset: Vec<&'static str>,
    /// The preset that it names, if there is none of that name.
    pub missing_preset: Option<String>,
}

/// By name; one of the user that the project hides stands behind the project's.
pub fn persona_list(door: &Door) -> Result<Vec<PersonaShown>, OpError> {
    let config = config_of(door)?;
    let mut all: Vec<PersonaShown> = config.personas.values().map(|persona| shown(&config, persona, false)).collect();
    all.extend(config.hidden_personas.values().map(|persona| shown(&config, persona, true)));
    all.sort_by(|a, b| (&a.persona.name, a.hidden).cmp(&(&b.persona.name, b.hidden)));
    Ok(all)
}

/// The one that holds under this name.
pub fn persona_show(door: &Door, name: &str) -> Result<PersonaShown, OpError> {
    let config = config_of(door)?;
    match config.personas.get(name) {
        Some(persona) => Ok(shown(&config, persona, false)),
        None => Err(unknown("persona", name, config.personas.keys())),
    }
}

fn shown(config: &Config, persona: &Persona, hidden: bool) -> PersonaShown {
    let Persona { name, scope: _, system_prompt, preferred_models, context_preset, aggregation_strategy, tier, budget } =
        persona;
    let fields = [
        ("system_prompt", system_prompt.is_none()),
        ("preferred_models", preferred_models.is_empty()),
        ("context_preset", context_preset.is_none()),
        ("aggregation_strategy", aggregation_strategy.is_none()),
        ("tier", tier.is_none()),
        ("budget", budget.is_none()),
    ];
    let is_known = |name: &String| merged(&config.presets).iter().any(|visible| visible.preset.name == *name);
    PersonaShown {
        hidden,
        shadows_global: !hidden && config.hidden_personas.contains_key(name),
        usual: !hidden && config.project.persona.as_ref() == Some(name),
        unset: fields.into_iter().filter(|(_, is_unset)| *is_unset).map(|(field, _)| field).collect(),
        missing_preset: context_preset.clone().filter(|name| !is_known(name)),
        persona: persona.clone(),
    }
}
