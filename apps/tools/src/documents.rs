//! Writes the manual pages and the completions of shells for both programs, and prints their
//! version: `cargo run -p tamarin-tools --features documents --bin documents FOLDER` makes
//! `FOLDER/man/man1/*.1` and `FOLDER/completions/*`.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use tamarin_game::about::{TOOLS, VERSION};
use tamarin_tools::Arguments;

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("name the folder to write to"))?;
    write(&folder)?;
    println!("{VERSION}");
    Ok(())
}

fn write(folder: &Path) -> io::Result<()> {
    let (pages, completions) = (folder.join("man/man1"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    let mut command = command();
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        clap_complete::generate_to(shell, &mut command, "tamarin", &completions)?;
    }
    clap_mangen::generate_to(command, &pages)?;
    // The other program has the same commands.
    fs::write(pages.join("tamarin-tools.1"), ".so man1/tamarin.1\n")
}

/// The command line of the engine, with the options of the commands for people, which the other
/// program carries out.
fn command() -> Command {
    let tools = Arguments::command();
    // Pages are named after what is shown.
    let engine = tamarin_chess::command_line().display_name("tamarin");
    TOOLS.iter().fold(engine, |command, (name, _)| {
        let tool = tools.find_subcommand(name).cloned();
        command.mut_subcommand(name, |short| tool.unwrap_or(short))
    })
}
