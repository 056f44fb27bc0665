//! A fixed set of inputs with recorded outputs: restructuring the code must not change one byte of them.
//!
//! `given/` holds the inputs, `cases/GROUP.txt` the command lines, `recorded/GROUP/CASE.txt` what each case printed and wrote. Only the
//! built program and files are used, no type of any crate. Documents and requests are compared byte for byte, JSON answers as values.
//!
//! After a deliberate change, record again and review the difference with git:
//! `INSTA_UPDATE=always cargo nextest run -p contexture-cli --test unchanged` (add a group's name to record that group alone).

mod cases;
mod client;
mod compare;
mod given;
mod normalize;
mod run;

/// One test per group, so that groups run in parallel and can be recorded alone.
macro_rules! groups {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            compare::group(stringify!($name), include_str!(concat!("cases/", stringify!($name), ".txt")));
        })*

        #[test]
        fn every_recorded_group_is_tested() {
            compare::only_these(&[$(stringify!($name)),*]);
        }
    };
}

groups! {
    agent agent_formats budgets budgets_query build composition doctor files formats git help http http_trees loom loom_formats mcp
    parts runs sessions settings show tools
}
