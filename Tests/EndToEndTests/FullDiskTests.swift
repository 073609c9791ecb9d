#if os(Linux)
import Foundation
import SendingSupport
import TestSupport
import Testing

private let mayMount = Result {
  try withTemporaryFolder { folder in
    try run("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"], in: folder).exitCode == 0
  }
}

/// Disks of their own, which are mounted where nobody else sees them.
@Suite(
  "A disk that is full",
  .enabled(if: (try? mayMount.get()) == true, "nothing can be mounted here"),
  .timeLimit(.minutes(15)))
struct FullDiskTests {
  /// Runs a shell's lines where the folder `disk` is a disk. They find the program as `$0` and the
  /// words as `$@`.
  private func runShell(
    _ fanfare: Fanfare, onDiskOf kilobytes: Int, _ lines: String..., words: [String]
  ) throws -> Program.Result {
    try FileManager.default.createDirectory(
      atPath: fanfare.folder.file("disk"), withIntermediateDirectories: true)
    let script = ["mount -t tmpfs -o size=\(kilobytes)k none disk"] + lines
    return try run(
      "unshare", ["-rm", "sh", "-c", script.joined(separator: "\n"), Fanfare.path] + words,
      in: fanfare.folder)
  }

  @Test(
    "under the history keeps no results from the resumption: nobody gets a second push",
    arguments: [[], ["--results", "r.jsonl"], ["--at-most-once"]])
  func history(words: [String]) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 25_000, in: fanfare)
      let rest = words.first == "--results" ? "--results r.jsonl" : ""
      let result = try runShell(
        fanfare, onDiskOf: 1500, #""$0" "$@"; echo "first: $?" >&2"#,
        "mount -o remount,size=64m disk",
        #""$0" resume 1 --history disk/h.sqlite \#(rest)"#,
        words: run.words + ["--history", "disk/h.sqlite"] + words)
      #expect(result.errors.contains("The disk has no room left for the history"))
      #expect(result.errors.contains("first: 4\n"), "\(result.errors)")
      #expect(result.errors.contains("They are taken from there by: fanfare resume 1 "))
      #expect(result.errors.contains(" in the history now."), "\(result.errors)")
      #expect(!result.errors.contains("may have been sent"), "\(result.errors)")
      #expect(result.exitCode == 0, "\(result.errors)")
      run.expectNobodyLost()
      run.expectNobodyTwice()
      let kept = fanfare.folder.file(".local/state/fanfare/lists")
      #expect((try? FileManager.default.contentsOfDirectory(atPath: kept)) ?? [] == [])
    }
  }

  @Test("that the copy of standard input fills goes on without the copy")
  func copy() throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(of: 20_000, in: fanfare)
      let tokens = try fanfare.folder.text("list.txt")
      // The history has room on the disk, but not beside all this.
      let remarks = String(repeating: "# nobody\n", count: 2_000_000)
      try fanfare.folder.write("long.txt", String(tokens.prefix(65 * 10_000)) + remarks + tokens)
      let words = run.words.map { $0 == "list.txt" ? "-" : $0 }
      let result = try runShell(
        fanfare, onDiskOf: 10_000, #""$0" "$@" < long.txt"#,
        words: words + ["--history", "disk/h.sqlite"])
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("-: no copy can be kept (No space left on device)"))
      #expect(result.errors.contains("this run cannot be resumed"))
      #expect(!(result.errors + result.output).contains("fanfare resume"), "\(result.errors)")
      run.expectNobodyLost()
      run.expectNobodyTwice()
    }
  }
}
#endif
