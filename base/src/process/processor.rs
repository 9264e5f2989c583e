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

/// The level of x86-64 whose instructions this build uses, or the name of another architecture.
pub const LEVEL: &str = if !cfg!(target_arch = "x86_64") {
    std::env::consts::ARCH
} else if cfg!(all(target_feature = "avx512bw", target_feature = "avx512vl")) {
    "x86-64-v4"
} else if cfg!(all(target_feature = "avx2", target_feature = "bmi2", target_feature = "movbe")) {
    "x86-64-v3"
} else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
    "x86-64-v2"
} else {
    "x86-64"
};

/// Ends the process with a message if the processor lacks an instruction set of this build.
#[cfg(not(target_arch = "x86_64"))]
pub const fn check() {}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use core::arch::x86_64::{__cpuid, __cpuid_count};
    use core::hint::black_box;
    use std::io::{self, Write};
    use std::process;

    /// The registers of CPUID that name instruction sets.
    type Registers = [u32; 5];

    /// ECX of leaf 1.
    const BASIC: usize = 0;
    /// EBX of leaf 7.
    const EXTENDED: usize = 1;
    /// ECX of leaf 7.
    const EXTENDED_MORE: usize = 2;
    /// EAX of subleaf 1 of leaf 7.
    const EXTENDED_LATER: usize = 3;
    /// ECX of leaf 0x8000_0001.
    const AMD: usize = 4;

    /// Those of this processor. A leaf that it does not know counts as empty.
    #[inline(always)]
    fn registers() -> Registers {
        let (leaves, amd_leaves) = (__cpuid(0).eax, __cpuid(0x8000_0000).eax);
        let mut registers = [0; 5];
        if leaves >= 1 {
            registers[BASIC] = black_box(__cpuid(1).ecx);
        }
        if leaves >= 7 {
            let extended = __cpuid_count(7, 0);
            registers[EXTENDED] = black_box(extended.ebx);
            registers[EXTENDED_MORE] = black_box(extended.ecx);
            if extended.eax >= 1 {
                registers[EXTENDED_LATER] = black_box(__cpuid_count(7, 1).eax);
            }
        }
        if amd_leaves >= 0x8000_0001 {
            registers[AMD] = black_box(__cpuid(0x8000_0001).ecx);
        }
        registers
    }

    /// Defines `missing` for instruction sets, each with its bit in a register.
    macro_rules! instruction_sets {
        ($($name:tt $register:ident $bit:literal)*) => {
            /// The first instruction set that this build has and a processor lacks.
            #[inline(always)]
            fn missing(registers: &Registers) -> Option<&'static str> {
                $(if cfg!(target_feature = $name) && registers[$register] & (1 << $bit) == 0 {
                    return Some($name);
                })*
                None
            }

            /// Those that a processor has by these registers and not by the standard library, or
            /// the other way round.
            #[cfg(test)]
            fn disagreeing(registers: &Registers) -> Vec<&'static str> {
                let all = [$(($name, registers[$register] & (1 << $bit) != 0,
                    std::arch::is_x86_feature_detected!($name))),*];
                all.iter().filter(|(_, bit, detected)| bit != detected).map(|set| set.0).collect()
            }
        };
    }

    // Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID; AMD64
    // Architecture Programmer's Manual, volume 3, appendix E. AVX needs a system that saves its
    // registers, too (OSXSAVE), which comes first.
    instruction_sets! {
        "sse3" BASIC 0
        "ssse3" BASIC 9
        "sse4.1" BASIC 19
        "sse4.2" BASIC 20
        "popcnt" BASIC 23
        "avx" BASIC 28
        "avx2" EXTENDED 5
        "bmi1" EXTENDED 3
        "bmi2" EXTENDED 8
        "fma" BASIC 12
        "f16c" BASIC 29
        "lzcnt" AMD 5
        "movbe" BASIC 22
        "pclmulqdq" BASIC 1
        "aes" BASIC 25
        "adx" EXTENDED 19
        "sha" EXTENDED 29
        "gfni" EXTENDED_MORE 8
        "vaes" EXTENDED_MORE 9
        "vpclmulqdq" EXTENDED_MORE 10
        "avxvnni" EXTENDED_LATER 4
        "avx512f" EXTENDED 16
        "avx512dq" EXTENDED 17
        "avx512ifma" EXTENDED 21
        "avx512cd" EXTENDED 28
        "avx512bw" EXTENDED 30
        "avx512vl" EXTENDED 31
        "avx512vbmi" EXTENDED_MORE 1
        "avx512vbmi2" EXTENDED_MORE 6
        "avx512vnni" EXTENDED_MORE 11
        "avx512bitalg" EXTENDED_MORE 12
        "avx512vpopcntdq" EXTENDED_MORE 14
    }

    /// The system saves the registers of AVX: bit of ECX of leaf 1.
    const OSXSAVE: u32 = 27;

    /// Ends the process with a message and status 1 if the processor lacks an instruction set of
    /// this build.
    #[inline(never)]
    pub fn check() {
        let registers = registers();
        if cfg!(target_feature = "avx") && registers[BASIC] & (1 << OSXSAVE) == 0 {
            refuse("avx");
        }
        if let Some(name) = missing(&registers) {
            refuse(name);
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse(name: &str) -> ! {
        let mut error = io::stderr();
        for part in [BEFORE, name, BEHIND] {
            // Without standard error the message is lost.
            let _ = error.write_all(part.as_bytes());
        }
        process::exit(1);
    }

    const BEFORE: &str = "error: this build is for processors with the instruction set ";
    const BEHIND: &str = ", which this one does not have; build for this computer with `make clean` and `make`, or \
        for any other with `make CPU=x86-64`\n";

    #[test]
    fn registers_agree_with_the_standard_library() {
        let registers = registers();
        // The system may leave the registers of AVX unsaved, which only the library sees.
        if std::arch::is_x86_feature_detected!("avx512f") {
            assert_eq!(disagreeing(&registers), [""; 0]);
        }
        check();
    }
}
