//! The files of the page are part of the program: a change of one builds it anew. The sounds are
//! made here.

mod sounds;

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=page");
    println!("cargo:rerun-if-changed=build");
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    let out = Path::new(&out);
    let mut list = String::from("&[");
    for name in sounds::NAMES {
        fs::write(out.join(format!("{name}.wav")), sounds::wav(name))?;
        list += &format!("(\"sounds/{name}.wav\", include_bytes!(\"{name}.wav\")), ");
    }
    list += "]";
    fs::write(out.join("sounds.rs"), list)
}
