internal import POSIX
internal import PlainText
package import Reporting
package import Settings

/// Writes a scenario that sends what a curl command sends, without its secrets.
package struct InitFromCurl {
  private static let defaultPath = "scenarios/curl.json5"

  /// The file with the command; nil for standard input.
  let file: String?
  /// The scenario's file, or `-`; nil for the default.
  let output: String?
  let context: Context

  package init(file: String?, output: String?, context: Context) {
    (self.file, self.output, self.context) = (file, output, context)
  }

  /// - Throws: `Failure` if nothing was written.
  package func run() throws(Failure) -> Report {
    let path = output ?? Self.defaultPath
    if file ?? "-" == "-", isatty(STDIN_FILENO) == 1 {
      // Checked before the user pastes a command; a file may have faults of its own.
      try refuseExisting(path)
      context.teller.warn("Paste the curl command, then press Enter and Ctrl-D.")
    }
    let text = try readText(file ?? "-", for: "curl command")
    let push = try CurlPush(String(decoding: text, as: UTF8.self))
    try refuseExisting(path)
    var report = Report()
    if path == "-" {
      report.parts = [.source(push.scenario(at: "SCENARIO"))]
    } else {
      let isStrict = path.lowercased().hasSuffix(".json")
      try write(push.scenario(at: shellWord(path), isStrict: isStrict), to: path)
      report.parts = Self.next(path)
    }
    report.exitCode = context.signals.received ?? .success
    return report.followed(by: [.lines(push.notes.map { .verbatim($0) })])
  }

  private func refuseExisting(_ path: String) throws(Failure) {
    guard path != "-", fileExists(path) else { return }
    throw Failure(
      "\(path.printable): already exists; nothing was written.",
      fix: "Name another file with --output, or '-' for standard output.")
  }

  private func write(_ text: String, to path: String) throws(Failure) {
    // Signals wait until the file and its folders are written.
    context.signals.take {}
    try attempt(try writeTogether([(path, text)], for: "scenario")) { .file($0) }
  }

  private static func next(_ path: String) -> [Report.Part] {
    let word = shellWord(path)
    return [
      .section("Wrote", [.lines([.verbatim(path)])]),
      .section(
        "Next:", [.lines([.verbatim("fanfare check \(word)"), .verbatim("fanfare run \(word)")])]),
    ]
  }
}
