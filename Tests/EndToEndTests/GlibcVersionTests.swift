import Foundation
import TestSupport
import Testing

#if os(Linux) && canImport(Glibc)
@Suite("A program that is linked as a release is")
struct GlibcVersionTests {
  private static let project = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// `errno` is enough to bring in Swift's library for the C library, which refers to `hypotf`.
  @Test("takes nothing from glibc that came after 2.34")
  func symbols() throws {
    try withTemporaryFolder { folder in
      try folder.write("main.swift", "import Glibc\nprint(errno)\n")
      let source = Self.project.appending(path: "Sources/CProcess/process.c").path
      let steps = [
        ["clang", "-O1", "-c", source, "-o", "process.o"],
        ["swiftc", "-static-stdlib", "main.swift", "process.o", "-lcrypto", "-o", "program"],
        ["./program"],
      ]
      for step in steps { #expect(try run("env", step, in: folder).exitCode == 0, "\(step)") }
      let symbols = try run("objdump", ["-T", "program"], in: folder).output
      #expect(symbols.contains("(GLIBC_2.34)"))
      let newer = symbols.matches(of: /GLIBC_2\.(\d+)\S* +(\S+)/).filter {
        Int($0.1).map { $0 > 34 } ?? false
      }
      #expect(newer.isEmpty, "\(newer.map(\.2))")
    }
  }
}
#endif
