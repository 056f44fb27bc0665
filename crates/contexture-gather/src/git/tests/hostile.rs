//! Repositories that try to run something when they are read. Each way in leaves a canary, a file of its name; none
//! may be there after we have read everything. That the canaries live is proven by letting plain git read the same
//! repository.

use super::*;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

/// Settings whose value is a command: `(canary, key, what stands around the command)`.
const VECTORS: [(&str, &str, &str); 35] = [
    ("fsmonitor", "core.fsmonitor", "{}"),
    ("pager", "core.pager", "{}"),
    ("pager-log", "pager.log", "{}"),
    ("pager-rev-parse", "pager.rev-parse", "{}"),
    ("pager-ls-tree", "pager.ls-tree", "{}"),
    ("pager-cat-file", "pager.cat-file", "{}"),
    ("pager-diff-index", "pager.diff-index", "{}"),
    ("pager-config", "pager.config", "{}"),
    ("external", "diff.external", "{}"),
    ("textconv", "diff.evil.textconv", "{}"),
    ("diff-command", "diff.evil.command", "{}"),
    ("clean", "filter.evil.clean", "{}"),
    ("smudge", "filter.evil.smudge", "{}"),
    ("process", "filter.evil2.process", "{}"),
    ("merge-driver", "merge.evil.driver", "{}"),
    ("gpg", "gpg.program", "{}"),
    ("gpg-openpgp", "gpg.openpgp.program", "{}"),
    ("gpg-x509", "gpg.x509.program", "{}"),
    ("gpg-ssh", "gpg.ssh.program", "{}"),
    ("gpg-ssh-key", "gpg.ssh.defaultKeyCommand", "{}"),
    ("ssh", "core.sshCommand", "{}"),
    ("askpass", "core.askPass", "{}"),
    ("git-proxy", "core.gitProxy", "{}"),
    ("editor", "core.editor", "{}"),
    ("sequence-editor", "sequence.editor", "{}"),
    ("alternate-refs", "core.alternateRefsCommand", "{}"),
    ("credential", "credential.helper", "!{}"),
    ("alias-log", "alias.log", "!{}"),
    ("alias-ls-tree", "alias.ls-tree", "!{}"),
    ("alias-cat-file", "alias.cat-file", "!{}"),
    ("alias-evil", "alias.evil", "!{}"),
    ("uploadpack", "remote.folder.uploadpack", "{}"),
    ("ext-transport", "remote.ext.url", "ext::{}"),
    ("pack-objects", "uploadpack.packObjectsHook", "{}"),
    ("trailer", "trailer.evil.cmd", "{}"),
];

/// What makes the commands above reachable.
const SETTINGS: [(&str, &str); 16] = [
    ("core.repositoryFormatVersion", "1"),
    ("extensions.partialClone", "ssh"),
    ("remote.ssh.url", "ssh://host.invalid/x"),
    ("remote.ssh.promisor", "true"),
    ("remote.folder.promisor", "true"),
    ("remote.ext.promisor", "true"),
    ("protocol.allow", "always"),
    ("protocol.ssh.allow", "always"),
    ("protocol.ext.allow", "always"),
    ("protocol.file.allow", "always"),
    ("log.showSignature", "true"),
    ("log.follow", "true"),
    ("log.diffMerges", "separate"),
    ("diff.trustExitCode", "true"),
    ("core.worktree", "/"),
    ("core.bare", "false"),
];

struct Trap {
    fixture: Fixture,
    canaries: PathBuf,
    /// A blob that stands in the tree and was taken out of the store.
    missing: String,
}

#[test]
fn nothing_a_repository_configures_is_run() {
    let trap = set_trap();
    let top = trap.fixture.top.clone();
    for root in [top.clone(), top.join("sub")] {
        let repo = Repo::discover(&root).unwrap();
        let tree = repo.tree("HEAD").unwrap();
        let oids: Vec<&str> = tree.values().map(|blob| blob.oid.as_str()).collect();
        let blobs = repo.blobs(&oids).unwrap();
        assert!(!blobs.is_empty() && !blobs.contains_key(&trap.missing));
        // The signed commit touches no file, so only the log of the whole names it.
        assert_eq!(repo.log(9).unwrap().contains(": signed"), root == top);
        assert!(repo.resolve("nope").is_err() && repo.resolve(&"9".repeat(40)).is_err());
        assert_eq!(repo.sizes(&[&trap.missing]).unwrap()[&trap.missing], None);
        let history = crate::history(&crate::Roots::open(std::slice::from_ref(&root)).unwrap(), None);
        assert_eq!(history.head, Some(repo.resolve("HEAD").unwrap()));
        assert_eq!(history.commits.len(), 2);
        assert!(history.open.iter().any(|path| path.ends_with("kept")));
    }
    assert_eq!(sung(&trap), BTreeSet::new());

    // The same by a plain git, to see that the canaries do sing.
    let reads: [&[&str]; 9] = [
        &["status"],
        &["diff"],
        &["log", "-p", "--ext-diff"],
        &["log", "-p", "--no-ext-diff"],
        &["cat-file", "-p", &trap.missing],
        &["evil"],
        &["included"],
        &["commit", "-m", "x"],
        &["-c", "core.hooksPath=.git/hooks", "commit", "-m", "x"],
    ];
    for args in reads {
        let _ = plain_git(&top).arg("--work-tree=.").args(args).output().unwrap();
    }
    let sung = sung(&trap);
    let alive = "alias-evil clean default-pre-commit diff-command ext-transport fsmonitor gpg-openpgp hook-pre-commit \
                 included smudge ssh textconv uploadpack";
    for name in alive.split(' ') {
        assert!(sung.contains(name), "the canary `{name}` is dead; alive: {sung:?}");
    }
}

/// A program called `git` that the project brings is not taken for git, wherever `PATH` leads.
#[test]
fn a_git_inside_the_work_tree_is_passed_by() {
    let trap = set_trap();
    let bin = trap.fixture.top.join("bin");
    fs::create_dir(&bin).unwrap();
    script(&bin.join("git"), &trap.canaries.join("own-git"));
    let top = trap.fixture.top.as_path();
    for path in [bin.as_os_str(), "bin".as_ref(), ".".as_ref(), "".as_ref()] {
        assert_eq!(child::find_program(path, top), None);
    }
}

/// A repository whose configuration is a pipe that nobody writes to: reading it would wait for ever.
#[test]
fn a_repository_that_hangs_is_given_up() {
    let fixture = Fixture::new();
    fixture.commit("one");
    let pipe = fixture.beside("pipe");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    fixture.git(&["config", "include.path", pipe.to_str().unwrap()]);
    let mut repo = fixture.repo();
    repo.git.patience = std::time::Duration::from_millis(50);
    assert!(matches!(repo.resolve("HEAD"), Err(GitError::Slow { command: "rev-parse", .. })));
    let head = repo.head().unwrap();
    assert!(matches!(repo.commits(&head), Err(GitError::Slow { command: "log", .. })));
}

/// A damaged repository is an error with a reason, not a crash.
#[test]
fn damage_is_an_error() {
    let fixture = Fixture::new();
    fixture.write("a", "text");
    fixture.commit("one");
    let objects = fixture.top.join(".git/objects");
    let tree = fixture.git(&["rev-parse", "HEAD^{tree}"]);
    let file = objects.join(&tree[..2]).join(&tree[2..]);
    fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    fs::write(&file, "garbage").unwrap();
    assert!(matches!(fixture.repo().tree("HEAD"), Err(GitError::Failed { command: "ls-tree", .. })));
    fs::write(fixture.top.join(".git/config"), "[core\nnonsense").unwrap();
    assert!(fixture.repo().resolve("HEAD").is_err());
    fs::write(fixture.top.join(".git/HEAD"), [0xff; 300]).unwrap();
    assert!(fixture.repo().log(1).is_err());
}

fn set_trap() -> Trap {
    let fixture = Fixture::new();
    let canaries = fixture.beside("canaries");
    fs::create_dir(&canaries).unwrap();
    fixture.write("sub/kept", "kept\n");
    fixture.write("sub/filtered", "missing later\n");
    fixture.write(".gitattributes", "* filter=evil diff=evil merge=evil\nsub/* filter=evil2\n");
    fixture.commit("files");
    // A commit that carries a signature, so that a log which shows signatures has one to check.
    let (parent, tree) = (fixture.git(&["rev-parse", "HEAD"]), fixture.git(&["rev-parse", "HEAD^{tree}"]));
    let person = "Test <test@example.org> 1767315845 +0200";
    let signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n xx\n -----END PGP SIGNATURE-----";
    let commit = format!("tree {tree}\nparent {parent}\nauthor {person}\ncommitter {person}\n{signature}\n\nsigned\n");
    let draft = fixture.beside("commit");
    fs::write(&draft, commit).unwrap();
    let signed = fixture.git(&["hash-object", "-t", "commit", "-w", draft.to_str().unwrap()]);
    fixture.git(&["update-ref", "HEAD", &signed]);
    fixture.write("sub/more", "more\n");
    fixture.commit("a commit below, with files under the root");
    let missing = fixture.git(&["rev-parse", "HEAD:sub/filtered"]);
    fs::remove_file(fixture.top.join(".git/objects").join(&missing[..2]).join(&missing[2..])).unwrap();
    arm(&fixture, &canaries);
    // Something to compare, so that a comparison would happen.
    fixture.write("sub/kept", "edited\n");
    Trap { fixture, canaries, missing }
}

/// Writes the settings by hand: from here on, the fixture's own git would set the canaries off.
fn arm(fixture: &Fixture, canaries: &Path) {
    let git_dir = fixture.top.join(".git");
    let scripts = fixture.beside("scripts");
    fs::create_dir(&scripts).unwrap();
    let command = |name: &str| {
        let file = scripts.join(name);
        script(&file, &canaries.join(name));
        file.display().to_string()
    };
    let mut config = String::from("[core]\n\tbare = false\n");
    let mut set = |key: &str, value: &str| {
        let (section, name) = key.rsplit_once('.').unwrap();
        let section = section.split_once('.').map_or(section.to_owned(), |(a, b)| format!("{a} \"{b}\""));
        config.push_str(&format!("[{section}]\n\t{name} = \"{value}\"\n"));
    };
    for (key, value) in SETTINGS {
        set(key, value);
    }
    set("remote.folder.url", &fixture.beside("elsewhere").display().to_string());
    for (name, key, around) in VECTORS {
        set(key, &around.replace("{}", &command(name)));
    }
    let included = fixture.beside("included");
    fs::write(&included, format!("[alias]\n\tincluded = \"!{}\"\n[core]\n\tpager = x\n", command("included"))).unwrap();
    let hooks = git_dir.join("hooks");
    let hooks_path = fixture.beside("hooks");
    fs::create_dir_all(&hooks).unwrap();
    fs::create_dir(&hooks_path).unwrap();
    for hook in [
        "pre-commit",
        "post-index-change",
        "reference-transaction",
        "post-checkout",
        "pre-auto-gc",
        "fsmonitor-watchman",
    ] {
        script(&hooks.join(hook), &canaries.join(format!("default-{hook}")));
        script(&hooks_path.join(hook), &canaries.join(format!("hook-{hook}")));
    }
    set("core.hooksPath", hooks_path.to_str().unwrap());
    set("include.path", included.to_str().unwrap());
    fs::write(git_dir.join("config"), config).unwrap();
    fs::write(git_dir.join("info/attributes"), "* filter=evil diff=evil\n").unwrap();
}

fn script(file: &Path, canary: &Path) {
    fs::write(file, format!("#!/bin/sh\n: > '{}'\nexit 0\n", canary.display())).unwrap();
    fs::set_permissions(file, PermissionsExt::from_mode(0o755)).unwrap();
}

fn sung(trap: &Trap) -> BTreeSet<String> {
    fs::read_dir(&trap.canaries).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
