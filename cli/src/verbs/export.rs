//! `npt export`

use super::load;
use crate::{Error, Outcome, tables::whole_file, talk::Talk};
use npt_core::wording::bytes;
use std::path::PathBuf;

/// Writes a model for other programs: ONNX or LIBSVM, by the name of the file
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  npt export magic.npt -o magic.onnx
  npt export plain.npt -o plain.libsvm")]
pub struct Export {
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The file: x.onnx or x.libsvm
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Export {
    pub fn run(self, talk: &Talk) -> Result<Outcome, Error> {
        let model = load(&self.model)?;
        let end = self
            .output
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        let written = match end.as_str() {
            "onnx" => model.to_onnx()?,
            "libsvm" | "model" => model.to_libsvm()?.into_bytes(),
            _ => {
                let path = self.output.display();
                return Err(Error::Usage(format!(
                    "{path}: a model is written as x.onnx or x.libsvm"
                )));
            }
        };
        whole_file(&self.output, |file| {
            file.write_all(&written)
                .map_err(|error| Error::file(&self.output, error))
        })?;
        talk.say(format!(
            "{}: {}",
            self.output.display(),
            bytes(written.len() as u64)
        ));
        Ok(Outcome::Done)
    }
}
