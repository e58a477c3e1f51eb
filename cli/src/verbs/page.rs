//! The manual page, and completions for shells.

use crate::{Error, Outcome, arguments::Arguments, talk::Talk};
use clap::{CommandFactory as _, ValueEnum};
use clap_complete::Shell;
use std::io::{self, Write as _};

/// Writes the manual page, or the completions of a shell
#[derive(Debug, clap::Args)]
pub struct Page {
    #[arg(value_parser = |text: &str| Kind::of(text))]
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Man,
    Completions(Shell),
}

impl Kind {
    fn of(text: &str) -> Result<Self, String> {
        if text == "man" {
            return Ok(Self::Man);
        }
        Shell::from_str(text, false).map(Self::Completions)
    }
}

impl Page {
    pub fn run(self, _: &Talk) -> Result<Outcome, Error> {
        let mut page = Vec::new();
        let mut command = Arguments::command();
        let wrong = |error: io::Error| Error::file("standard output", error);
        match self.kind {
            Kind::Man => {
                command.build();
                clap_mangen::Man::new(command.clone())
                    .render(&mut page)
                    .map_err(wrong)?;
                for verb in command
                    .get_subcommands()
                    .filter(|verb| !verb.is_hide_set() && verb.get_name() != "help")
                {
                    clap_mangen::Man::new(verb.clone())
                        .render(&mut page)
                        .map_err(wrong)?;
                }
            }
            Kind::Completions(shell) => {
                clap_complete::generate(shell, &mut command, "npt", &mut page)
            }
        }
        match io::stdout().lock().write_all(&page) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Error::Closed),
            written => written.map(|()| Outcome::Done).map_err(wrong),
        }
    }
}
