//! A verb of the command line that takes some of the options of a document.
//!
//! [`DocumentRequest`] declares every option once; a verb lists the names of those it takes. Others are unknown to it.

use super::DocumentRequest;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use std::ffi::OsString;
use std::marker::PhantomData;

/// Which options of a document a verb takes.
pub trait Fields {
    /// Whether it takes the option of this field.
    fn takes(field: &str) -> bool;
}

/// A document request whose options come from the flags that `F` lists.
#[derive(Clone, Debug)]
pub struct Only<F>(pub DocumentRequest, PhantomData<F>);

impl<F: Fields> Args for Only<F> {
    fn augment_args(command: Command) -> Command {
        let all = DocumentRequest::augment_args(Command::new(""));
        command.args(all.get_arguments().filter(|arg| F::takes(arg.get_id().as_str())).cloned())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<F: Fields> FromArgMatches for Only<F> {
    /// The words that were given are parsed once more by the command that knows all options: what clap derives asks for each of them.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        // The defaults of options that the verb does not take are not its own.
        let own = |arg: Arg| if F::takes(arg.get_id().as_str()) { arg } else { arg.default_value(None::<&str>) };
        let command = DocumentRequest::augment_args(Command::new("")).mut_args(own);
        let mut words = vec![OsString::new()];
        for arg in command.get_arguments().filter(|arg| F::takes(arg.get_id().as_str())) {
            let field = arg.get_id().as_str();
            if matches.value_source(field) != Some(ValueSource::CommandLine) {
                continue;
            }
            let flag = format!("--{}", field.replace('_', "-"));
            if matches!(arg.get_action(), ArgAction::SetTrue) {
                words.push(flag.into());
                continue;
            }
            for value in matches.get_raw(field).into_iter().flatten() {
                let mut word = OsString::from(&flag);
                word.push("=");
                word.push(value);
                words.push(word);
            }
        }
        let parsed = DocumentRequest::from_arg_matches(&command.try_get_matches_from(words)?)?;
        Ok(Self(parsed, PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::requests::{TokenCount, verbs};
    use contexture_core::{Format, Tree};

    fn parse<F: Fields>(words: &[&str]) -> Result<DocumentRequest, Error> {
        let command = Only::<F>::augment_args(Command::new("verb"));
        let matches = command.try_get_matches_from(std::iter::once(&"verb").chain(words))?;
        Ok(Only::<F>::from_arg_matches(&matches)?.0)
    }

    #[test]
    fn every_kind_of_flag_reaches_the_request() {
        let words = ["--query=-x=1", "--include", "a b", "--include=c", "--diff", "-n", "--embed", "base64"];
        let request =
            parse::<verbs::Build>(&[&words[..], &["--budget", "8k", "-m", "-", "--no-marks"]].concat()).unwrap();
        assert_eq!(request.query.as_deref(), Some("-x=1"));
        assert_eq!(request.include, ["a b", "c"]);
        assert_eq!((request.diff.as_deref(), request.message.as_deref()), (Some("HEAD"), Some("-")));
        assert_eq!((request.line_numbers, request.no_marks, request.strict), (true, true, false));
        assert_eq!((request.embed, request.budget), (Some(true), Some(TokenCount(8_000))));
        assert_eq!(parse::<verbs::Build>(&["--embed=link"]).unwrap().embed, Some(false));
    }

    #[test]
    fn a_verb_has_the_defaults_of_its_own_options_and_knows_no_others() {
        let build = parse::<verbs::Build>(&[]).unwrap();
        assert_eq!((build.format(), build.base.as_deref()), (Some(Format::Markdown), Some("HEAD")));
        assert_eq!(build.tree.map(|tree| tree.get()), Some(Tree::None));
        let scan = parse::<verbs::Scan>(&["--preset", "p"]).unwrap();
        assert_eq!(
            format!("{scan:?}"),
            format!("{:?}", DocumentRequest { preset: Some("p".into()), ..Default::default() })
        );
        assert!(parse::<verbs::Scan>(&["--tier", "2"]).is_err());
        assert!(parse::<verbs::Build>(&["--temperature", "1"]).is_err());
    }
}
