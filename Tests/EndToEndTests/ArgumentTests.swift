import SendingSupport
import TestSupport
import Testing

@Suite("An argument that is not UTF-8")
struct BadArgumentTests {
  @Test("is refused, for it would become the name of another file", .needs("sh"))
  func refused() throws {
    try withFanfare { fanfare in
      let line = #"exec "$0" check "$(printf 'caf\351.json')""#
      let result = try run("sh", ["-c", line, Fanfare.path], in: fanfare.folder)
      #expect(result.exitCode == 2 && result.output.isEmpty)
      #expect(result.errors.hasPrefix("fanfare: Argument 2 is not UTF-8 text."), "\(result.errors)")
    }
  }
}

#if os(Linux)

/// Swift itself looks for the arguments in `/proc`, or below the environment where it is linked
/// into the program.
@Suite("A command line that Swift does not find")
struct ArgumentTests {
  private static let mayHideProc = Result {
    try withTemporaryFolder { try run("unshare", ["-rm", "true"], in: $0).exitCode == 0 }
  }

  @Test(
    "is obeyed all the same, as in a folder of its own without /proc",
    .enabled(if: (try? mayHideProc.get()) == true, "/proc cannot be hidden here"))
  func noProc() throws {
    try withFanfare { fanfare in
      func hidden(_ words: String...) throws -> Program.Result {
        let hide = "mount -t tmpfs none /proc && exec \"$0\" \"$@\""
        return try run(
          "unshare", ["-rm", "sh", "-c", hide, Fanfare.path] + words, in: fanfare.folder)
      }
      let good = try hidden("explain", "BadDeviceToken")
      #expect(good.exitCode == 0 && good.output.contains("BadDeviceToken"))
      let bad = try hidden("--no-such-option")
      #expect(bad.exitCode == 2 && bad.errors.contains("no-such-option"))
    }
  }
}
#endif
