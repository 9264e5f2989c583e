//! Whether this processor can run this build: the first thing that the programs do.
//!
//! A build for newer processors (`make CPU=x86-64-v3`, and `make` itself, which builds for the
//! computer at hand) has their instructions everywhere, and elsewhere the first one would end the
//! process with SIGILL. [`check`] comes before all of them: it is not inlined, is compiled to scalar
//! instructions alone, and prints fixed texts. The macro `is_x86_feature_detected` cannot do it: for
//! a feature that the build has it is the constant `true`.
//!
//! One case is left: in a build for the computer at hand (`native`), whole-program optimization
//! gives the standard library, too, instructions of AVX before `main`, so that a processor without
//! AVX gets no message from it. A build for a named processor leaves the library as it is.

#[cfg(target_arch = "x86_64")]
pub use x86_64::check;

/// Ends the process with a message if the processor lacks an instruction set of this build.
#[cfg(not(target_arch = "x86_64"))]
pub const fn check() {}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use core::arch::x86_64::{__cpuid, __cpuid_count};
    use core::hint::black_box;
    use std::io::{self, Write};
    use std::process;

    /// A register that CPUID fills.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Register {
        /// ECX of leaf 1.
        Basic,
        /// EBX of leaf 7.
        Extended,
        /// ECX of leaf 7.
        ExtendedMore,
        /// EAX of subleaf 1 of leaf 7.
        ExtendedLater,
        /// ECX of leaf 0x8000_0001.
        Amd,
    }

    /// What CPUID says about the processor.
    #[derive(Clone, Copy, Default, Debug)]
    struct Processor {
        basic: u32,
        extended: u32,
        extended_more: u32,
        extended_later: u32,
        amd: u32,
    }

    impl Processor {
        /// This one. A leaf that it does not know counts as empty.
        #[inline(always)]
        fn this() -> Self {
            let (leaves, amd_leaves) = (__cpuid(0).eax, __cpuid(0x8000_0000).eax);
            let mut processor = Self::default();
            if leaves >= 1 {
                processor.basic = black_box(__cpuid(1).ecx);
            }
            if leaves >= 7 {
                let extended = __cpuid_count(7, 0);
                processor.extended = black_box(extended.ebx);
                processor.extended_more = black_box(extended.ecx);
                if extended.eax >= 1 {
                    processor.extended_later = black_box(__cpuid_count(7, 1).eax);
                }
            }
            if amd_leaves >= 0x8000_0001 {
                processor.amd = black_box(__cpuid(0x8000_0001).ecx);
            }
            processor
        }

        #[inline(always)]
        const fn has(&self, register: Register, bit: u32) -> bool {
            let value = match register {
                Register::Basic => self.basic,
                Register::Extended => self.extended,
                Register::ExtendedMore => self.extended_more,
                Register::ExtendedLater => self.extended_later,
                Register::Amd => self.amd,
            };
            value & (1 << bit) != 0
        }
    }

    /// Defines `missing` for instruction sets, each with its bit in a register of CPUID.
    macro_rules! instruction_sets {
        ($($name:tt $register:ident $bit:literal)*) => {
            /// The first instruction set that a build has, as `built` says, and a processor lacks.
            #[inline(always)]
            fn missing(processor: &Processor, built: impl Fn(&str, bool) -> bool) -> Option<&'static str> {
                $(if built($name, cfg!(target_feature = $name)) && !processor.has(Register::$register, $bit) {
                    return Some($name);
                })*
                None
            }

            #[cfg(test)]
            const ALL: &[(&str, Register, u32)] = &[$(($name, Register::$register, $bit)),*];
        };
    }

    // Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID; AMD64
    // Architecture Programmer's Manual, volume 3, appendix E. AVX needs a system that saves its
    // registers, too (OSXSAVE), which comes first.
    instruction_sets! {
        "sse3" Basic 0
        "ssse3" Basic 9
        "sse4.1" Basic 19
        "sse4.2" Basic 20
        "popcnt" Basic 23
        "avx" Basic 28
        "avx2" Extended 5
        "bmi1" Extended 3
        "bmi2" Extended 8
        "fma" Basic 12
        "f16c" Basic 29
        "lzcnt" Amd 5
        "movbe" Basic 22
        "pclmulqdq" Basic 1
        "aes" Basic 25
        "adx" Extended 19
        "sha" Extended 29
        "gfni" ExtendedMore 8
        "vaes" ExtendedMore 9
        "vpclmulqdq" ExtendedMore 10
        "avxvnni" ExtendedLater 4
        "avx512f" Extended 16
        "avx512dq" Extended 17
        "avx512ifma" Extended 21
        "avx512cd" Extended 28
        "avx512bw" Extended 30
        "avx512vl" Extended 31
        "avx512vbmi" ExtendedMore 1
        "avx512vbmi2" ExtendedMore 6
        "avx512vnni" ExtendedMore 11
        "avx512bitalg" ExtendedMore 12
        "avx512vpopcntdq" ExtendedMore 14
    }

    /// Ends the process with a message and status 1 if the processor lacks an instruction set of
    /// this build.
    #[inline(never)]
    pub fn check() {
        let processor = Processor::this();
        if cfg!(target_feature = "avx") && !processor.has(Register::Basic, OSXSAVE) {
            refuse("avx");
        }
        if let Some(name) = missing(&processor, |_, built| built) {
            refuse(name);
        }
    }

    /// The system saves the registers of AVX: bit of ECX of leaf 1.
    const OSXSAVE: u32 = 27;

    #[cold]
    #[inline(never)]
    fn refuse(name: &str) -> ! {
        let mut error = io::stderr();
        for part in [BEFORE, name, BEHIND] {
            // Without standard error there is nobody to tell.
            let _ = error.write_all(part.as_bytes());
        }
        process::exit(1);
    }

    const BEFORE: &str = "error: this build is for processors with the instruction set ";
    const BEHIND: &str = ", which this one does not have; build for this computer with `make clean` and `make`, or \
        for any other with `make CPU=x86-64`\n";

    #[cfg(test)]
    mod tests {
        use super::*;

        fn with_all() -> Processor {
            let all = u32::MAX;
            Processor {
                basic: all,
                extended: all,
                extended_more: all,
                extended_later: all,
                amd: all,
            }
        }

        fn without(register: Register, bit: u32) -> Processor {
            let mut processor = with_all();
            let value = match register {
                Register::Basic => &mut processor.basic,
                Register::Extended => &mut processor.extended,
                Register::ExtendedMore => &mut processor.extended_more,
                Register::ExtendedLater => &mut processor.extended_later,
                Register::Amd => &mut processor.amd,
            };
            *value &= !(1 << bit);
            processor
        }

        #[test]
        fn what_is_missing_is_named_if_the_build_has_it() {
            assert_eq!(missing(&with_all(), |_, _| true), None);
            for &(name, register, bit) in ALL {
                let processor = without(register, bit);
                assert_eq!(missing(&processor, |_, _| true), Some(name));
                assert_eq!(missing(&processor, |other, _| other != name), None);
            }
            assert_eq!(missing(&Processor::default(), |_, _| true), Some("sse3"));
            assert_eq!(missing(&Processor::default(), |_, _| false), None);
        }

        #[test]
        fn this_processor_has_what_the_standard_library_detects() {
            let processor = Processor::this();
            macro_rules! compare {
                ($($name:tt)*) => {
                    $({
                        let (_, register, bit) = *ALL.iter().find(|(name, ..)| *name == $name).unwrap();
                        let detected = std::arch::is_x86_feature_detected!($name);
                        assert!(!detected || processor.has(register, bit), $name);
                    })*
                };
            }
            compare!("sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "movbe" "pclmulqdq" "aes" "avx"
                "f16c" "fma" "lzcnt" "bmi1" "bmi2" "avx2" "adx" "sha" "gfni" "vaes" "vpclmulqdq"
                "avxvnni" "avx512f" "avx512dq" "avx512ifma" "avx512cd" "avx512bw" "avx512vl"
                "avx512vbmi" "avx512vbmi2" "avx512vnni" "avx512bitalg" "avx512vpopcntdq");
            check();
        }
    }
}
