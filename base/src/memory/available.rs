//! How much memory is available, as far as the system says, and what large allocations leave.

use std::fs;
use std::path::Path;

use super::Zeroed;

/// Bytes that can be allocated without a lack of memory for this or another process; `None`
/// where the system does not say. Linux: `MemAvailable` and the limits of control groups.
pub fn available() -> Option<u64> {
    let system = fs::read_to_string("/proc/meminfo").ok().and_then(|text| mem_available(&text));
    let group = fs::read_to_string("/proc/self/cgroup")
        .ok()
        .and_then(|text| group_headroom(&text, Path::new("/sys/fs/cgroup")));
    match (system, group) {
        (Some(system), Some(group)) => Some(system.min(group)),
        (system, group) => system.or(group),
    }
}

/// The `MemAvailable` line of `/proc/meminfo`, in bytes.
fn mem_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The smallest headroom of this process's control group (version 2) and of those above it,
/// which are folders below `root`.
fn group_headroom(cgroup: &str, root: &Path) -> Option<u64> {
    let path = cgroup.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mut folder = root.to_path_buf();
    let mut headroom = headroom_of(&folder);
    for part in path.split('/').filter(|part| !part.is_empty() && *part != "..") {
        folder.push(part);
        headroom = match (headroom, headroom_of(&folder)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    headroom
}

/// What one control group may still take: its limit less its use, in which page cache is counted,
/// although the system takes that back before it refuses memory.
///
/// Source: "Memory Interface Files" of the kernel's documentation of control groups, version 2.
fn headroom_of(folder: &Path) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        fs::read_to_string(folder.join(name)).ok()?.trim().parse().ok()
    };
    // Without a limit the file says "max", which is no number.
    let limit = number("memory.max")?;
    let used = number("memory.current").unwrap_or(0);
    let cache = fs::read_to_string(folder.join("memory.stat")).map_or(0, |text| page_cache(&text));
    Some(limit.saturating_sub(used.saturating_sub(cache)))
}

/// The bytes of files on the lists of pages to reclaim, as `memory.stat` has them. Shared memory is
/// on the lists of anonymous pages, locked memory on none of these.
fn page_cache(stat: &str) -> u64 {
    let bytes = |line: &str| match line.split_once(' ')? {
        ("inactive_file" | "active_file", bytes) => bytes.trim().parse::<u64>().ok(),
        _ => None,
    };
    stat.lines().filter_map(bytes).fold(0, u64::saturating_add)
}

/// Bytes that have to be left over after something large is allocated, so that the small needs of
/// the rest of the process, whose failure would end it, are met.
const RESERVE: usize = 24 << 20;

/// Returns `true` if the system still gives as much memory as the small needs of a process take
/// together, 24 MiB: to be asked after anything large was allocated, which has to be given back if
/// not.
///
/// Asks for a mapping: an allocator may have kept as much of what was freed, which is of no use for
/// the stack of a thread.
#[must_use]
pub fn has_reserve() -> bool {
    can_map(RESERVE)
}

/// Whether the system still maps this number of bytes. Nothing of it is kept, and the allocator,
/// which would from then on take blocks of this size from its heap, does not notice.
pub fn can_map(bytes: usize) -> bool {
    Zeroed::<u8>::new(bytes).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_read() {
        let text = "MemTotal:       24000 kB\nMemAvailable:      7 kB\n";
        assert_eq!(mem_available(text), Some(7 * 1024));
        assert_eq!(mem_available("MemTotal: 3 kB"), None);
        assert_eq!(mem_available("MemAvailable: many kB"), None);
    }

    #[test]
    fn the_smallest_limit_of_nested_control_groups_counts() {
        let root = std::env::temp_dir().join(format!("cgroup-{}", std::process::id()));
        let group = |path: &str, limit: &str, used: &str| {
            let folder = root.join(path);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("memory.max"), limit).unwrap();
            fs::write(folder.join("memory.current"), used).unwrap();
        };
        group("a", "1000\n", "100\n");
        group("a/b", "max\n", "50\n");
        group("a/b/c", "5000\n", "1\n");
        let headroom = |path: &str| group_headroom(&format!("0::/{path}\n"), &root);
        assert_eq!(headroom(""), None);
        assert_eq!(headroom("a/b/c"), Some(900));
        fs::write(root.join("a/b/c/memory.current"), "9000").unwrap();
        assert_eq!(headroom("a/b/c"), Some(0));
        let cache = "anon 1000\ninactive_file 7000\nactive_file 1000\n";
        fs::write(root.join("a/b/c/memory.stat"), cache).unwrap();
        assert_eq!(headroom("a/b/c"), Some(900), "page cache is free for others");
        fs::write(root.join("a/memory.stat"), "active_file 101\n").unwrap();
        assert_eq!(headroom("a/b/c"), Some(1000), "never more than the limit");
        assert_eq!(group_headroom("1:name=systemd:/a\n", &root), None);
        fs::remove_dir_all(&root).unwrap();
    }
}
