import Foundation
import SendingSupport
import TestSupport
import Testing

@Suite("The check of the machine before its tests", .needs("bash"))
struct MachineCheckTests {
  private static let script = projectFolder.appending(path: "Scripts/check-machine").path

  @Test("finds nothing where the tests run")
  func good() throws {
    let result = try withTemporaryFolder {
      try run("bash", [Self.script, "--tests"], in: $0)
    }
    #expect(result.exitCode == 0 && result.errors.isEmpty, "\(result.errors)")
  }

  @Test("names too little room, and too few open files")
  func lacking() throws {
    try withTemporaryFolder { folder in
      try folder.writeProgram(
        "bin/df", "#!/bin/sh\necho head\necho /dev/sda 16384 8192 8192 50% /\n")
      let line = "ulimit -n 256; PATH=$PWD/bin:$PATH exec bash \"$0\" --tests"
      let result = try run("bash", ["-c", line, Self.script], in: folder)
      #expect(result.exitCode == 1)
      #expect(result.errors.contains(" has room for 8 MiB; the tests need 512. Set TMPDIR to "))
      #expect(result.errors.contains("a process can open 256 files; the tests need 2048"))
      #expect(!result.errors.contains("cannot be run"))
    }
  }
}
