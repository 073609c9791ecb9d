internal import CommandLineKit
internal import HTTP2
internal import History
internal import PlainText
internal import Projects

/// `fanfare history export`
struct HistoryExportCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "export", "Export pushes as JSON, CSV, HAR, curl commands or an HTML page.",
    discussion: """
      Exports the pushes of runs, single pushes, or without an argument all pushes that match, \
      oldest first. Files can be read by their owner only, because they contain whole device \
      tokens; on the page tokens are shortened. Provider tokens are never exported. With har and \
      curl the exit code is 1 if payloads are lost: their lists have changed and the run kept none.
      """,
    examples: [
      Example(
        "fanfare history export --since 7d --output week.jsonl", "The last week as JSON Lines."),
      Example(
        "fanfare history export 12 --output run.csv",
        "Run 12 for a spreadsheet, with formulas disarmed."),
      Example(
        "fanfare history export 6b1f0c52-93a7-4e1d-8d2c-000000000001 --format curl",
        "A curl command that sends this push again."),
      Example("fanfare history export --html report.html", "A single page with charts and pushes."),
    ])

  var places: [HistoryPlace] = []
  var format: ExportFormat?
  var output: String?
  var exact = false
  var html: String?
  var showTokens = false
  var filter = HistoryFilterOptions()
  var history = Settings()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Export",
        [
          .arguments("run-or-id", \.places, help: "Export only these runs and pushes."),
          .option(
            "format", \.format, help: "Format; defaults to that of the file name, or jsonl."),
          .option(
            "output", \.output, value: "FILE", help: "Write to this file; '-' is standard output.",
            completion: .file),
          .flag("exact", \.exact, help: "In CSV, do not disarm formulas."),
          .option(
            "html", \.html, value: "FILE",
            help: "Write an HTML page with charts and a table of pushes.",
            completion: .file),
          .flag("show-tokens", \.showTokens, help: "Show whole device tokens on the page."),
        ])
    ] + [
      HistoryFilterOptions.group.inside(\Self.filter),
      SettingOptions.historyPlace.inside(\Self.history),
    ]

  func run(_ context: Context) throws -> ExitCode {
    try refuseContradictions()
    let reader = try history.openHistory(context)
    try refuseOverwriting(reader.path)
    try filter.warnOfUnknownWords(in: reader, context)
    let wanted = try WantedPushes(
      places, filter.filter(now: context.clock.epochSeconds), in: reader)
    let rows = try rowsPath.map { (path) throws(Failure) in
      try ExportTarget(path, for: "export", context)
    }
    let page = try html.map { (path) throws(Failure) in
      try ExportTarget(path, for: "page", context)
    }
    removeHalves([rows, page], when: context.signals)
    sayFormat(context)
    let lost = try rows.map { (target) throws(Failure) in
      try writeRows(of: wanted, reader, to: target)
    }
    try page.map { (target) throws(Failure) in try writePage(of: wanted, to: target, context) }
    return tell(lost: lost ?? 0, context)
  }

  /// Where the rows go; nil when only a page is wanted.
  private var rowsPath: String? {
    let isWanted = html == nil || format != nil || output != nil
    return isWanted ? output ?? "-" : nil
  }

  private var rowsFormat: ExportFormat {
    format ?? output.flatMap { ExportFormat(fileName: $0) } ?? .jsonl
  }

  /// Says which format a file has whose extension is not known.
  private func sayFormat(_ context: Context) {
    guard format == nil, let output, output != "-", ExportFormat(fileName: output) == nil,
      ExportFormat.ending(of: output) != nil
    else { return }
    context.errors.write(
      "\(output.printable): writing JSON Lines; use --format csv, har or curl for another format.\n"
    )
    context.errors.flush()
  }

  private func refuseContradictions() throws(Failure) {
    if exact, rowsFormat != .csv {
      throw .conflict("--exact", "--format \(rowsFormat.rawValue)")
    }
    if showTokens, html == nil { throw .missingOption("--html FILE") }
    if html == "-", rowsPath == "-" { throw .conflict("--html -", "--output -") }
  }

  /// What is read must not be overwritten, nor one file with the other.
  private func refuseOverwriting(_ history: String) throws(Failure) {
    var used = ["", "-wal", "-shm"].map { history + $0 }
    for (option, path) in [("--output", output), ("--html", html)] {
      guard let path, path != "-" else { continue }
      if used.contains(where: { areSameFile($0, path) }) {
        throw .overwrites(option: option, path: path)
      }
      used.append(path)
    }
  }

  /// A signal ends the process; nothing is to be left of files that are not whole.
  private func removeHalves(_ targets: [ExportTarget?], when signals: Signals) {
    let halves = targets.compactMap { $0?.beside }
    if !halves.isEmpty { signals.end { halves.forEach(removeFile) } }
  }

  /// - Returns: how many payloads were lost.
  private func writeRows(
    of wanted: WantedPushes, _ reader: any HistoryStore, to target: ExportTarget
  ) throws(Failure) -> Int {
    var export = rowsFormat.export(exact: exact)
    var bodies = StoredBodies(in: reader)
    var lost = 0
    target.output.write(export.head)
    try wanted.forEach(newestFirst: false) { push, stored in
      let request = export.needsRequest ? bodies.request(of: push, in: stored) : nil
      if case .lost = request?.body, !push.wasNeverSent { lost += 1 }
      target.output.write(export.bytes(of: push, in: stored, request))
      return target.output.failure == nil
    }
    target.output.write(export.tail)
    try target.finish()
    return lost
  }

  private func writePage(
    of wanted: WantedPushes, to target: ExportTarget, _ context: Context
  ) throws(Failure) {
    var figures = PageFigures()
    try wanted.forEach(newestFirst: true) { push, stored in
      figures.add(push, stored)
      return true
    }
    let page = HistoryPage(
      figures: figures, showsTokens: showTokens, madeAt: context.clock.epochSeconds,
      nonce: hexadecimal64(context.clock.random()) + hexadecimal64(context.clock.random()))
    target.output.write(page.text)
    try target.finish()
  }

  private func tell(lost: Int, _ context: Context) -> ExitCode {
    guard lost > 0 else { return .success }
    context.output.flush()
    let style = Style(hasColor: context.errors.hasColor)
    context.errors.write(lostPayloadsText(lost, style))
    return .failure
  }
}

private func hexadecimal64(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
