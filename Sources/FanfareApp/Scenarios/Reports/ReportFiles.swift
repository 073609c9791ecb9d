internal import HTTP2

/// The reports of scenarios that go into files: begun before anything is sent, so that a path that
/// cannot be written is found in time, and written at the end.
struct ReportFiles {
  private enum Place {
    case standardOutput
    /// A summary that other commands write to as well.
    case shared(String)
    case file(NewFile)
  }

  private let context: Context
  private var reports: [(form: ReportForm, place: Place)] = []

  /// - Throws: `Failure.file` for a path that cannot be written.
  init(_ options: ScenarioOptions, _ context: Context) throws(Failure) {
    self.context = context
    do throws(FileFailure) {
      for (form, path) in options.reports {
        reports.append((form, try Self.place(path, context)))
      }
    } catch {
      throw .file(error)
    }
  }

  private static func place(_ path: String, _ context: Context) throws(FileFailure) -> Place {
    if path == "-" { return .standardOutput }
    // GitHub gives each step of a job one file, to which all its commands append.
    if path == context.environment["GITHUB_STEP_SUMMARY"] { return .shared(path) }
    return .file(try NewFile(path, for: "report", mode: 0o644))
  }

  /// Writes all reports.
  ///
  /// - Parameter code: how the process would end otherwise.
  /// - Throws: `Failure.lostOutput` when one could not be written.
  func write(_ scenarios: [ScenarioReport], after code: ExitCode) throws(Failure) {
    do throws(FileFailure) {
      for (form, place) in reports {
        try write(form.text(of: scenarios, now: context.clock.epochMilliseconds()), to: place)
      }
    } catch {
      throw .lostOutput(error, after: code)
    }
  }

  private func write(_ text: String, to place: Place) throws(FileFailure) {
    switch place {
    case .standardOutput: context.output.write(text)
    case .shared(let path):
      let output = Output(
        descriptor: try createFile(path, for: "report", continues: true), environment: [:],
        closesDescriptor: true)
      output.write(text)
      output.flush()
      if let code = output.failure {
        throw FileFailure(path: path, action: .write, fault: .system(code), purpose: "report")
      }
    case .file(let file):
      file.output.write(text)
      try file.finish()
    }
  }
}

/// The forms of a report, in the words of their options.
enum ReportForm: String, CaseIterable {
  case junit
  case tap
  case markdown

  /// The whole report.
  ///
  /// - Parameter now: milliseconds since 1970 UTC.
  func text(of scenarios: [ScenarioReport], now: Int64) -> String {
    switch self {
    case .junit: JUnitReport(scenarios: scenarios, now: now).text
    case .tap: TAPReport(scenarios: scenarios).text
    case .markdown: MarkdownReport(scenarios: scenarios).text
    }
  }
}
