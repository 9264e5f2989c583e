//! What an engine has learned, written to a file and read again.

use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use tamarin_base::files::{Target, open_plain};
use tamarin_base::process::shutdown;

use super::Engine;
use crate::hash_file::{
    CheckedReader, CheckedWriter, HashEvaluator, HashFileError, HashSummary, Header,
};
use crate::history::{SharedHistories, ThreadHistories};

impl Engine {
    /// Writes what was learned to a file, for a program of this name and version; a summary. The
    /// process does not end before the file is complete.
    ///
    /// # Errors
    /// If it is no file, for nothing else can be loaded again, or cannot be written. Then an old
    /// file stays as it was.
    pub fn save_hash_file(&self, program: &str, target: Target) -> io::Result<String> {
        if target.is_stream() {
            let text = "it is a device or a pipe, not a file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        shutdown::after_writing(|| {
            let mut file = target.create()?;
            let HashSummary { entries, mebibytes, .. } = self.save_hash(program, &mut file)?;
            let old = file.finish()?.map(|old| format!("; {old}")).unwrap_or_default();
            Ok(format!("hash saved: {entries} entries of {mebibytes} MiB{old}"))
        })
    }

    /// Goes on with what was saved in a file for a program of this name and version; a summary.
    ///
    /// # Errors
    /// As [`Self::load_hash`].
    pub fn load_hash_file(&mut self, program: &str, path: &Path) -> Result<String, HashFileError> {
        let HashSummary { entries, kept, mebibytes, threads } =
            self.load_hash(program, open_plain(path)?)?;
        let mut text = format!("hash loaded: {kept} entries");
        if kept < entries {
            text += &format!(", no room for {} more", entries - kept);
        }
        let (hash, now) = (self.hash(), self.threads());
        if mebibytes != hash as u64 {
            text += &format!("; it was saved with Hash {mebibytes}, {hash} is in force");
        }
        if threads as usize != now {
            text += &format!("; it was saved with Threads {threads}, {now} is in force");
        }
        Ok(text)
    }

    /// Writes the transposition table and the histories of all threads, for a program of this name
    /// and version.
    ///
    /// # Errors
    /// If they cannot be written to the end.
    pub fn save_hash(&self, program: &str, output: impl Write) -> io::Result<HashSummary> {
        let header = Header {
            program: program.to_owned(),
            evaluator: self.hash_evaluator(),
            mebibytes: self.hash() as u64,
            threads: self.threads() as u32,
            generation: self.table.generation(),
            entries: self.table.entries().count() as u64,
        };
        let mut output = CheckedWriter::new(BufWriter::new(output));
        header.write(&mut output)?;
        self.pool.own_histories().try_for_each(|own| own.write(&mut output))?;
        self.pool.shared_histories().try_for_each(|shared| shared.write(&mut output))?;
        for (key, data) in self.table.entries() {
            output.write_all(&key.to_le_bytes())?;
            output.write_all(&data.to_le_bytes())?;
        }
        output.finish()?;
        Ok(header.summary(header.entries))
    }

    /// Reads what [`Self::save_hash`] wrote for a program of this name and version, in place of the
    /// table and the histories there are.
    ///
    /// With the size and the number of threads of then, searches go on as if nothing had happened. A
    /// smaller table keeps the deepest and youngest entries; threads beyond those of the file begin
    /// with empty histories.
    ///
    /// # Errors
    /// If it is another file, one of another version, build or evaluator, or damaged. It is read
    /// twice: nothing is changed before all of it was found to be good.
    pub fn load_hash(
        &mut self,
        program: &str,
        mut input: impl Read + Seek,
    ) -> Result<HashSummary, HashFileError> {
        let bytes = input.seek(io::SeekFrom::End(0))?;
        input.rewind()?;
        let evaluator = self.hash_evaluator();
        let mut checked = CheckedReader::new(BufReader::new(&mut input));
        let header = Header::read(&mut checked, bytes, program, evaluator)?;
        skip(&mut checked, header.body_bytes(bytes))?;
        if !checked.finish()? {
            return Err(HashFileError::Damaged);
        }
        self.forget();
        let again = input.rewind().map_err(Into::into).and_then(|()| {
            let mut checked = CheckedReader::new(BufReader::new(input));
            let again = Header::read(&mut checked, bytes, program, evaluator)?;
            let kept = self.take_from(&again, &mut checked)?;
            Ok::<_, HashFileError>((again == header && checked.finish()?).then_some(kept))
        });
        match again {
            Ok(Some(kept)) => Ok(header.summary(kept)),
            _ => {
                self.forget();
                Err(HashFileError::Changed)
            }
        }
    }

    /// Empties the table and the histories.
    fn forget(&mut self) {
        self.pool.clear_data();
        // Marks the table as used, so that what is read into it is kept.
        self.zero_table();
    }

    /// Reads histories and entries; how many entries are in the table.
    fn take_from(&self, header: &Header, input: &mut impl Read) -> io::Result<u64> {
        let mut threads = self.pool.own_histories();
        for _ in 0..header.threads {
            match threads.next() {
                Some(own) => own.read(input)?,
                None => skip(input, ThreadHistories::BYTES as u64)?,
            }
        }
        let mut groups = self.pool.shared_histories();
        for _ in 0..header.groups() {
            match groups.next() {
                Some(shared) => shared.read(input)?,
                None => skip(input, SharedHistories::BYTES as u64)?,
            }
        }
        self.table.set_generation(header.generation);
        let (mut key, mut data) = ([0; 8], [0; 8]);
        for _ in 0..header.entries {
            input.read_exact(&mut key)?;
            input.read_exact(&mut data)?;
            let (key, data) = (u64::from_le_bytes(key), u64::from_le_bytes(data));
            self.table.insert(key, data, &self.params);
        }
        Ok(self.table.entries().count() as u64)
    }

    /// What evaluates, and so made the scores of the table.
    fn hash_evaluator(&self) -> HashEvaluator {
        match self.pool.network() {
            Some(network) => HashEvaluator::Network(network.checksum()),
            None => HashEvaluator::HandCrafted,
        }
    }
}

/// Reads `bytes` bytes, for their checksum alone.
fn skip(input: &mut impl Read, bytes: u64) -> io::Result<()> {
    match io::copy(&mut input.take(bytes), &mut io::sink())? {
        read if read == bytes => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
