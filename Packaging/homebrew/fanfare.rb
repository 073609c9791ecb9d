class Fanfare < Formula
  desc "Send Apple push notifications from the shell, a script or CI"
  homepage "@PROJECT@"
  url "@URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "curl"
  depends_on "libmicrohttpd"
  depends_on "libnghttp2"
  depends_on "libpq"
  depends_on macos: :sequoia
  depends_on "openssl@3"
  depends_on "sqlite"

  uses_from_macos "swift" => :build

  def install
    # Homebrew has installed the libraries. It also has a sandbox, inside which Swift's cannot run.
    system "make", "--old-file=dependencies", "install",
           "BUILD=swift build --disable-sandbox", "PREFIX=#{prefix}"
  end

  test do
    require "json"

    assert_equal "fanfare #{version}", shell_output("#{bin}/fanfare version").strip
    emulator = IO.popen(["#{bin}/fanfare", "emulator", "--json"])
    begin
      place = JSON.parse(emulator.gets)
      system "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-out", testpath/"AuthKey_ABC123DEFG.p8"
      chmod 0600, testpath/"AuthKey_ABC123DEFG.p8"
      push = shell_output("#{bin}/fanfare send --no-history --no-token-cache " \
                          "--server #{place["url"]} --ca #{place["ca"]} " \
                          "--key #{testpath}/AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ " \
                          "--bundle-id com.example.app --title Hello --to #{"0a" * 32}")
      assert_match "accepted", push
    ensure
      Process.kill "TERM", emulator.pid
      emulator.close
    end
  end
end
