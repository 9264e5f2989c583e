# Homebrew formula: brew install --formula ./tamarin.rb
class Tamarin < Formula
  desc "Chess engine for UCI and XBoard, with boards for the browser and terminal"
  homepage "@ADDRESS@"
  version "@VERSION@"
  license "GPL-3.0-or-later"

  on_macos do
    on_arm do
      url "@ADDRESS@/releases/download/v@VERSION@/tamarin-@VERSION@-aarch64-macos.tar.gz"
      sha256 "@SHA256:aarch64-macos.tar.gz@"
    end
    on_intel do
      url "@ADDRESS@/releases/download/v@VERSION@/tamarin-@VERSION@-x86_64-macos-x86-64-v2.tar.gz"
      sha256 "@SHA256:x86_64-macos-x86-64-v2.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@ADDRESS@/releases/download/v@VERSION@/tamarin-@VERSION@-aarch64-linux-gnu.tar.gz"
      sha256 "@SHA256:aarch64-linux-gnu.tar.gz@"
    end
    on_intel do
      url "@ADDRESS@/releases/download/v@VERSION@/tamarin-@VERSION@-x86_64-linux-gnu.tar.gz"
      sha256 "@SHA256:x86_64-linux-gnu.tar.gz@"
    end
  end

  def install
    bin.install "tamarin", "tamarin-tools"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/tamarin.bash" => "tamarin"
    zsh_completion.install "completions/_tamarin"
    fish_completion.install "completions/tamarin.fish"
    doc.install Dir["docs/*"], "NOTICES", "sbom.cdx.json"
  end

  test do
    assert_match "bestmove", shell_output("#{bin}/tamarin go depth 5")
  end
end
