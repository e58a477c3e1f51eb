//! Faults are told in one line, with their place, and an exit code.

mod arguments;
mod models;
mod tables;

use super::Folder;

/// Commands that fail: their exit code, and words of the one line.
fn refused(folder: &Folder, cases: &[(&str, i32, &str)]) {
    for (arguments, code, words) in cases {
        let ran = folder.run(*arguments);
        assert_eq!(ran.code, *code, "{arguments:?}: {}", ran.talk);
        let error = ran.talk.lines().last().unwrap_or_default();
        assert!(error.contains(words), "{arguments:?}: {}", ran.talk);
        assert_eq!(ran.data, "", "{arguments:?}");
        assert!(!folder.has("m.npt"), "{arguments:?}");
    }
}
