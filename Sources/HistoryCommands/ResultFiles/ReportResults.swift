internal import HTTP2
internal import Recipients
package import Reporting
internal import Runs
package import Settings

/// Reports the figures of result files, without a history.
package struct ReportResults: Sendable, Equatable {
  /// The columns next to a bar, for its latency and count.
  private static let room = 34
  private static let mostBar = 40

  /// The files; `-` is standard input.
  package var files: [String] = []
  /// The fields to print in JSON; nil for text.
  package var json: JSONFields?
  /// The page's file; nil for none.
  package var html: String?
  /// Shows whole device tokens in the page.
  package var showsTokens = false

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    try refuseContradictions()
    var used = FilesInUse(files + context.configuration.allPaths)
    try used.claim("--html", html)
    let page = try page()
    if let half = page?.beside { context.signals.end { removeFile(half) } }
    let skipped = SkippedLines("broken lines", context.teller)
    let figures = try ResultFiles(
      files: files.map { ListTable($0, scratchFolder: context.temporaryFolder) }
    ) { skipped.add($0, $1, [$2]) }.read(now: context.clock.epochMilliseconds())
    try write(figures, to: page, context)
    let report = ResultsReport(files: files, figures: figures, bar: bar(context)).report
    return html == "-" ? Report(report.exitCode) : report.asJSON(json)
  }

  private func refuseContradictions() throws(Failure) {
    try json?.refuseUnknown(among: Outputs.report)
    if json != nil, html == "-" { throw .conflict("--json", "--html -") }
    if showsTokens, html == nil { throw .missingOption("--html FILE") }
    if files.count(where: { $0 == "-" }) > 1 { throw .conflict("FILE -", "FILE -") }
  }

  private func page() throws(Failure) -> NewFile? {
    guard let html, html != "-" else { return nil }
    return try attempt(try NewFile(html, for: "page")) { .file($0) }
  }

  private func write(
    _ figures: ResultFigures, to file: NewFile?, _ context: Context
  ) throws(Failure) {
    if html == nil { return }
    (file?.output ?? context.teller.data).write(
      HistoryPage(figures: figures.page, showsTokens: showsTokens, context).text)
    if let file { try attempt(try file.finish()) { .file($0) } }
  }

  private func bar(_ context: Context) -> (width: Int, block: String) {
    let width = context.teller.drawingWidth.map { $0 - Self.room } ?? Self.mostBar
    return (min(max(10, width), Self.mostBar), context.teller.showsSigns ? "█" : "#")
  }
}
