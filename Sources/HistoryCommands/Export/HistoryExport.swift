internal import HTTP2
package import History
internal import PlainText
internal import PushModel
package import Reporting
package import Runs
internal import SQLHistory
package import Settings

/// The format and destinations of an export.
package struct ExportFiles: Sendable, Equatable {
  /// Nil for the format of the file's extension, or else JSON Lines.
  package var format: ExportFormat?
  /// The file for the pushes, or `-`. Nil is standard output, or nothing if only a page is written.
  package var output: String?
  /// Leaves text as it is, even if a spreadsheet would read it as a formula.
  package var isExact = false
  /// The page's file; nil for none.
  package var html: String?
  /// Shows whole device tokens in the page.
  package var showsTokens = false

  /// The file for the rows; nil if only a page is written.
  fileprivate var rows: String? {
    html == nil || format != nil || output != nil ? output ?? "-" : nil
  }

  /// The given format, or else the one of the file's extension; nil if neither is known.
  var knownFormat: ExportFormat? { format ?? output.flatMap { .of(path: $0) } }

  /// - Parameter columns: the columns of the lists of all runs.
  fileprivate func export(_ columns: [String]) -> any PushExport {
    (knownFormat ?? .usual).make(!isExact, columns)
  }

  fileprivate func refuseContradictions() throws(Failure) {
    let format = knownFormat ?? .usual
    if isExact, !format.isTable { throw .conflict("--exact", "--format \(format.name)") }
    if showsTokens, html == nil { throw .missingOption("--html FILE") }
    if html == "-", rows == "-" { throw .conflict("--html -", "--output -") }
    if self.format == nil, let output, ["html", "htm"].contains(fileEnding(output)?.lowercased()) {
      throw .pageAsOutput(output)
    }
  }

  /// Refuses to overwrite an input, or one output with the other.
  fileprivate func refuseOverwriting(_ read: [String]) throws(Failure) {
    var used = FilesInUse(read)
    try used.claim("--output", output)
    try used.claim("--html", html)
  }
}

/// Exports pushes for other programs, or as a page.
package struct HistoryExport: Sendable, Equatable {
  /// Empty for all pushes that match the filter.
  package var places: [HistoryReference] = []
  package var filter = HistoryFilter()
  package var files = ExportFiles()
  package var settings = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    try files.refuseContradictions()
    let history = try filter.open(settings, context)
    try files.refuseOverwriting(
      HistoryLocation(history.path).files + context.configuration.allPaths)
    let wanted = try SelectedPushes(places, filter, in: history)
    let rows = try target(files.rows, for: "export", context)
    let page = try target(files.html, for: "page", context)
    // A signal ends the process, which must not leave a half-written file.
    let halves = [rows, page].compactMap { $0?.file?.beside }
    if !halves.isEmpty { context.signals.end { halves.forEach(removeFile) } }
    tellFormat(context)
    var lost = 0
    if let rows { lost = try writeRows(of: wanted, history, to: rows, context) }
    if let page { try writePage(of: wanted, history, to: page, context) }
    return report(lost: lost)
  }

  /// The maximum number of runs whose resends the page names.
  private static let mostResent = 5

  private typealias Target = (output: Output, file: NewFile?)

  private func target(
    _ path: String?, for purpose: String, _ context: Context
  ) throws(Failure) -> Target? {
    guard let path else { return nil }
    if path == "-" { return (context.teller.data, nil) }
    let file = try attempt(try NewFile(path, for: purpose)) { .file($0) }
    return (file.output, file)
  }

  /// - Returns: the number of payloads that were lost.
  private func writeRows(
    of wanted: SelectedPushes, _ history: HistoryReader, to target: Target, _ context: Context
  ) throws(Failure) -> Int {
    var export = files.export(try wanted.columns())
    var requests = StoredRequests(in: history, context)
    var rows = RowFactReader(in: history, context)
    var lost = 0
    var lists: [RunNumber: [String]] = [:]
    target.output.write(export.head)
    try wanted.forEach(newestFirst: false) { push, stored in
      if lists[push.run] == nil { lists[push.run] = stored.listFiles(in: history, context) }
      if export.needsRequest {
        let request = requests.request(of: push, in: stored)
        if case .lost = request.body, !push.wasNeverSent { lost += 1 }
        target.output.write(export.bytes(of: DescribedPush(entry: push), in: stored, request))
      } else {
        let told = DescribedPush(entry: push, facts: rows.facts(of: push))
        target.output.write(export.bytes(of: told, in: stored, nil))
      }
      return target.output.failure == nil
    }
    target.output.write(export.tail)
    // Only now are the lists known. The file has not been moved into place yet.
    try files.refuseOverwriting(lists.values.flatMap(\.self))
    try attempt(try target.file?.finish()) { .file($0) }
    context.teller.warn(rows.warnings)
    return lost
  }

  private func writePage(
    of wanted: SelectedPushes, _ history: HistoryReader, to target: Target, _ context: Context
  ) throws(Failure) {
    var (figures, rows) = (PageFigures(), RowFactReader(in: history, context))
    var lists: [RunNumber: [String]] = [:]
    try wanted.forEach(newestFirst: true) { push, stored in
      figures.add(push, stored)
      if lists[push.run] == nil { lists[push.run] = stored.listFiles(in: history, context) }
      return true
    }
    try files.refuseOverwriting(lists.values.flatMap(\.self))
    figures.explainSkipped { rows.facts(of: $0).skippedFor }
    var page = HistoryPage(figures: figures, showsTokens: files.showsTokens, context)
    page.notes = try wanted.openRuns() + resent(figures.runs, in: history)
    target.output.write(page.text)
    try attempt(try target.file?.finish()) { .file($0) }
  }

  /// A sentence for each run whose pushes were sent again, newest first.
  private func resent(
    _ runs: Set<RunNumber>, in history: HistoryReader
  ) throws(Failure) -> [String] {
    let resends = try history.resends()
    let resent = Set(resends.compactMap(\.record.resends)).intersection(runs)
    return try resent.sorted(by: >).prefix(Self.mostResent).map { (run) throws(Failure) in
      let words = Resends(of: try history.storedRun(run).entry, among: resends).words ?? ""
      return "Pushes of run \(run) were sent again by \(words)."
    }
  }

  /// Reports the format chosen for a file with an unknown extension.
  private func tellFormat(_ context: Context) {
    guard files.knownFormat == nil, let output = files.output, output != "-",
      fileEnding(output) != nil
    else { return }
    let others = ExportFormat.all.dropFirst().map(\.name)
    context.teller.warn(
      "\(output.printable): writing JSON Lines; use --format for \(others.joined(separator: ", "))."
    )
  }

  private func report(lost: Int) -> Report {
    guard lost > 0 else { return Report() }
    return Report(.failure).followed(by: [
      .failure(
        "\(counted(lost, "payload")) cannot be rebuilt: the lists that filled the template have "
          + "changed or are gone.",
        "'send --keep-payloads' keeps the payload of each push.")
    ])
  }
}

extension Failure {
  fileprivate static func pageAsOutput(_ path: String) -> Failure {
    Failure(
      "\(path.printable) is the name of a page, and --output writes pushes.",
      fix: "Give --html \(shellWord(path)), or say with --format what to write.")
  }
}
