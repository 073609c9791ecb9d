import Foundation
package import JSONText
import PushEmulator
package import TestSupport
package import Testing

/// The built executable in an empty folder, with a clean environment and a time limit.
package struct Fanfare {
  package let folder: TemporaryFolder

  package init(folder: TemporaryFolder) { self.folder = folder }

  /// Starts it.
  ///
  /// - Parameter limit: the seconds after which it is killed.
  package func start(
    _ words: [String], input: Program.Input = .nothing, environment: [String: String] = [:],
    limit: Int = 600
  ) throws -> Program {
    try Program(
      path: Self.path, words, in: folder, input: input, environment: environment, limit: limit)
  }

  /// Runs it to its end, and looks for what must never be seen: a crash, a secret, or a character
  /// that a terminal would obey.
  package func run(
    _ words: [String], input: Program.Input = .nothing, environment: [String: String] = [:]
  ) throws -> Program.Result {
    let result = try start(words, input: input, environment: environment).finish()
    expectHarmless(result.errors)
    expectHarmless(result.output)
    return result
  }

  /// `fanfare send` to the emulator in its own process.
  package func send(_ words: String..., input: Program.Input = .nothing) throws -> Program.Result {
    let common = [
      "send", "--env", "emulator", "--bundle-id", "com.example.app", "--title", "Hello",
    ]
    return try run(common + words, input: input)
  }

  /// Where it was built: beside the tests.
  package static var path: String {
    #if os(macOS)
    let bundle = Bundle(for: Marker.self).bundleURL
    #else
    let bundle = Bundle.main.executableURL ?? Bundle.main.bundleURL
    #endif
    return bundle.deletingLastPathComponent().appending(path: "fanfare").path
  }

  private final class Marker {}
}

/// Gives the executable an empty folder, in which lies a signing key.
package func withFanfare<Result>(_ body: (Fanfare) throws -> Result) throws -> Result {
  try withTemporaryFolder { folder in
    try folder.writeSecret(keyFile, try signingKey.get())
    return try body(Fanfare(folder: folder))
  }
}

extension TemporaryFolder {
  /// Writes a file that only its owner can read.
  @discardableResult
  package func writeSecret(_ name: String, _ text: String) throws -> String {
    let path = try write(name, text)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }
}

/// The name of the signing key in every folder, which tells its id.
package let keyFile = "AuthKey_ABC123DEFG.p8"

/// The options that sign in with it.
package let credentials = ["--key", keyFile, "--team-id", "DEF123GHIJ"]

private let signingKey = Swift.Result { try freshKey() }

/// A new key for provider tokens, in PEM.
package func freshKey() throws -> String {
  try withTemporaryFolder { folder in
    let words = ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    return try TestSupport.run("openssl", words, in: folder).output
  }
}

/// Fails when a text holds what no output may hold.
package func expectHarmless(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(
    !text.contains("Fatal error") && !text.contains("Program crashed"),
    sourceLocation: sourceLocation)
  // The start of every provider token, and the lines of the key.
  #expect(!text.contains("eyJ"), sourceLocation: sourceLocation)
  let secrets = (try? signingKey.get().split(separator: "\n").dropFirst().dropLast()) ?? []
  #expect(!secrets.isEmpty && !secrets.contains { text.contains($0) })
  let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\r" }
  #expect(isPlain, sourceLocation: sourceLocation)
}

extension JSON {
  /// The value of a text.
  package init(text: some StringProtocol) throws { self = try JSONReader().read(Array(text.utf8)) }

  /// A whole number.
  package var int: Int? { number.flatMap { Int($0.text) } }
}

/// Fails unless the counts of a summary account for all its lines.
package func expectSum(of summary: JSON, sourceLocation: SourceLocation = #_sourceLocation) {
  let parts = [
    "accepted", "rejected", "skipped", "deferred", "unknown", "notAttempted", "badLines",
    "duplicates", "suppressed", "otherShards",
  ]
  let counts = parts.map { summary[$0]?.int ?? -1_000_000 }
  #expect(summary["lines"]?.int == counts.reduce(0, +), sourceLocation: sourceLocation)
}

/// Fails unless two sets hold the same, and tells what only one of them holds, not the sets.
package func expectSame<Element: Hashable>(
  _ found: Set<Element>, _ wanted: Set<Element>, sourceLocation: SourceLocation = #_sourceLocation
) {
  let (more, missing) = (found.subtracting(wanted), wanted.subtracting(found))
  #expect(
    more.isEmpty && missing.isEmpty,
    """
    \(more.count) too many, such as \(Array(more.prefix(3))); \(missing.count) missing, such as \
    \(Array(missing.prefix(3)))
    """,
    sourceLocation: sourceLocation)
}
