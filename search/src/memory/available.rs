//! How much memory there is to take, as far as the system says.

use std::fs;

/// Bytes that could be taken without pushing this or another process out of memory,
/// or `None` where the system does not say: then only the allocator can refuse.
pub(crate) fn available() -> Option<u64> {
    let system = fs::read_to_string("/proc/meminfo").ok().and_then(|text| mem_available(&text));
    let group = fs::read_to_string("/proc/self/cgroup").ok().and_then(|text| group_headroom(&text));
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

/// The smallest headroom of this process's control group and of those above it.
fn group_headroom(cgroup: &str) -> Option<u64> {
    let path = cgroup.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mut folder = std::path::PathBuf::from("/sys/fs/cgroup");
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

/// What one control group may still take: its limit less what it uses for good.
fn headroom_of(folder: &std::path::Path) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        fs::read_to_string(folder.join(name)).ok()?.trim().parse().ok()
    };
    // "max" is not a number: no limit, no headroom to speak of.
    let limit = number("memory.max")?;
    let used = number("memory.current").unwrap_or(0);
    Some(limit.saturating_sub(used))
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
}
