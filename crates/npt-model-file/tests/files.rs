//! Tests that a file appears as a whole or not at all.

use std::{fs, io::ErrorKind, path::Path};

use npt_model_file::{Contents, Error, load, save};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn a_model_comes_back_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npt");
    save(&vec![1.0, 2.0], &path).unwrap();
    assert_eq!(load::<Vec<f64>>(&path).unwrap(), [1.0, 2.0]);
    assert_eq!(
        Contents::load(&path).unwrap().to_string(),
        "2 × f64 [1, 2]\n"
    );
    assert_eq!(names(folder.path()), ["model.npt"]);
}

#[test]
fn a_file_is_replaced_and_keeps_its_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npt");
    save(&1.0, &path).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        save(&2.0, &path).unwrap();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }
    save(&2.0, &path).unwrap();
    assert_eq!(load::<f64>(&path).unwrap(), 2.0);
    assert_eq!(names(folder.path()), ["model.npt"]);
}

#[test]
fn what_was_there_stays_where_a_model_cannot_be_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npt");
    save(&1.0, &path).unwrap();
    let error = save(&f64::NAN, &path).unwrap_err();
    assert_eq!(error, Error::NotANumber { at: String::new() });
    assert_eq!(load::<f64>(&path).unwrap(), 1.0);
    assert_eq!(names(folder.path()), ["model.npt"]);
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no").join("model.npt");
    let Error::File {
        path: named, kind, ..
    } = save(&1.0, &path).unwrap_err()
    else {
        panic!("another error");
    };
    assert_eq!(
        (named, kind),
        (path.display().to_string(), ErrorKind::NotFound)
    );
    assert!(matches!(
        load::<f64>(&path),
        Err(Error::File {
            kind: ErrorKind::NotFound,
            ..
        })
    ));
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_folder_is_no_place_for_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npt");
    fs::create_dir(&path).unwrap();
    assert!(matches!(save(&1.0, &path), Err(Error::File { .. })));
    assert!(matches!(load::<f64>(&path), Err(Error::File { .. })));
    assert_eq!(names(folder.path()), ["model.npt"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_end_is_not_read_to_its_end() {
    assert_eq!(load::<f64>("/dev/zero").unwrap_err(), Error::NotAModelFile);
    assert_eq!(load::<f64>("/dev/null").unwrap_err(), Error::NotAModelFile);
}

/// Saves a model in the process that the next tests start; alone, this test has nothing to do.
#[test]
fn saves_where_it_is_told() {
    if let Some(path) = std::env::var_os("NPT_SAVE_AT") {
        save(&1.0, &path).unwrap();
        assert_eq!(load::<f64>(&path).unwrap(), 1.0);
    }
}

fn save_elsewhere(current: &Path, path: &Path) {
    let other = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "files::saves_where_it_is_told"])
        .current_dir(current)
        .env("NPT_SAVE_AT", path)
        .output()
        .unwrap();
    assert!(other.status.success(), "{other:?}");
}

#[test]
fn a_name_alone_is_in_the_current_folder() {
    let folder = tempfile::tempdir().unwrap();
    save_elsewhere(folder.path(), Path::new("model.npt"));
    assert_eq!(names(folder.path()), ["model.npt"]);
}

/// The unfinished file is beside its place: this process can make files only where the model is saved.
#[cfg(target_os = "linux")]
#[test]
fn what_is_not_whole_is_beside_its_place() {
    let folder = tempfile::tempdir().unwrap();
    save_elsewhere(Path::new("/proc"), &folder.path().join("model.npt"));
    assert_eq!(names(folder.path()), ["model.npt"]);
}

/// Saves a model in the process that the next test starts, which may write no file above a kilobyte; alone, it has nothing to do.
#[cfg(unix)]
#[test]
fn saves_where_there_is_no_room() {
    let Some(path) = std::env::var_os("NPT_NO_ROOM") else {
        return;
    };
    let error = save(&vec![0.5; 10_000], &path).unwrap_err();
    assert!(matches!(error, Error::File { .. }), "{error}");
    assert_eq!(load::<f64>(&path).unwrap(), 1.0);
}

/// A disk that is full while a file is written leaves the file that was there. The limit of the process lets only a first part be written.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.npt");
    save(&1.0, &path).unwrap();
    let limited =
        "trap '' XFSZ; ulimit -f 2; exec \"$0\" --exact files::saves_where_there_is_no_room";
    let other = std::process::Command::new("sh")
        .args(["-c", limited])
        .arg(std::env::current_exe().unwrap())
        .env("NPT_NO_ROOM", &path)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&other.stdout);
    assert!(
        other.status.success() && text.contains("1 passed"),
        "{text}"
    );
    assert_eq!(load::<f64>(&path).unwrap(), 1.0);
    assert_eq!(names(folder.path()), ["model.npt"]);
}
