internal import HTTP2
internal import Reporting
internal import Settings

/// Report files: opened before anything is sent, to detect unwritable paths early, and written at
/// the end.
struct ReportFiles {
  private let context: Context
  /// Reports, with their files; without one, a report goes to standard output.
  private let reports: [(form: ReportForm, file: NewFile?)]

  /// - Throws: `Failure.file` if a path is not writable.
  init(_ reports: [(form: ReportForm, path: String)], _ context: Context) throws(Failure) {
    self.context = context
    do throws(FileFailure) {
      self.reports = try reports.map { (form, path) throws(FileFailure) in
        // GitHub gives each step of a job one file, and all its commands append to it.
        let isShared = path == context.environment["GITHUB_STEP_SUMMARY"]
        return (
          form,
          path == "-" ? nil : try NewFile(path, for: "report", mode: 0o644, appends: isShared)
        )
      }
    } catch {
      throw .file(error)
    }
  }

  /// - Parameter code: the exit code if no report is lost.
  /// - Throws: `Failure.lostOutput` if a report could not be written.
  func write(_ scenarios: [ScenarioReport], after code: ExitCode) throws(Failure) {
    var lost: FileFailure?
    for (form, file) in reports {
      let text = form.text(of: scenarios, now: context.clock.epochMilliseconds())
      (file?.output ?? context.teller.data).write(text)
      // The other reports can still be written.
      do throws(FileFailure) { try file?.finish() } catch { lost = lost ?? error }
    }
    if let lost { throw .lostOutput(lost, after: code) }
  }
}

/// The forms of a report, in the words of their options.
enum ReportForm: String, CaseIterable {
  case junit
  case tap
  case markdown

  /// - Parameter now: milliseconds since 1970 UTC.
  func text(of scenarios: [ScenarioReport], now: Int64) -> String {
    switch self {
    case .junit: JUnitReport(scenarios: scenarios, now: now).text
    case .tap: TAPReport(scenarios: scenarios).text
    case .markdown: MarkdownReport(scenarios: scenarios).text
    }
  }
}
