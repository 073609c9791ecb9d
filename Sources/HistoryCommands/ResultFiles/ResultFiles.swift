internal import APNS
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting

/// Result files, read twice: first to find each push's last line, then to count it.
struct ResultFiles {
  let files: [ListTable]
  /// Called for each line that is not a result, with the file, the line and the reason.
  let report: (String, Int, String) -> Void

  /// - Parameter now: the time for pushes if none was answered, in milliseconds since 1970.
  func read(now: Int64) throws(Failure) -> ResultFigures {
    var figures = ResultFigures()
    let last = try lastLines(&figures)
    var number = 0
    var time = figures.began ?? now
    for file in files {
      try forEachRow(of: file, FileResultRow.columns) { _, row in
        number += 1
        guard let row = try? row.get(), last[row.id] == number else { return }
        time = row.answeredAt ?? time
        figures.count(row, at: time)
      }
    }
    figures.keepRows()
    return figures
  }

  /// Each push's last line, numbered across all files.
  private func lastLines(_ figures: inout ResultFigures) throws(Failure) -> [APNSID: Int] {
    var last: [APNSID: Int] = [:]
    var number = 0
    for file in files {
      let before = number
      var broken = 0
      try forEachRow(of: file, FileResultRow.columns) { line, row in
        number += 1
        switch row {
        case .success(let row):
          if last.updateValue(number, forKey: row.id) != nil { figures.replaced += 1 }
          figures.extend(row)
        case .failure(let fault):
          broken += 1
          report(file.name, line, fault.clause)
        }
      }
      if broken > 0, broken == number - before { throw .noResults(file.name) }
      figures.lines += number - before
      figures.brokenLines += broken
    }
    return last
  }

  private func forEachRow(
    of file: ListTable, _ columns: [String],
    _ body: (Int, Result<FileResultRow, FileResultRow.Fault>) -> Void
  ) throws(Failure) {
    try attempt(
      try file.forEachRow(columns) { line, row in
        body(line, Result { () throws(FileResultRow.Fault) in try FileResultRow(row) })
      }
    ) { .results($0) }
  }
}

extension Failure {
  private static let wanted =
    "Give a file that --results or 'history export' wrote, .jsonl or .csv."

  fileprivate static func noResults(_ file: String) -> Failure {
    Failure("\(file.printable): no line of it is a result.", fix: wanted)
  }

  fileprivate static func results(_ error: ListError) -> Failure {
    let fault: FileFailure.Fault
    switch error.fault {
    case .missing: fault = .missing
    case .isFolder: fault = .isFolder
    case .unreadable(let code): fault = .system(code)
    case .changed, .isPEM, .foreign, .otherFormat, .empty, .header, .noTokenColumn,
      .duplicateColumn,
      .missingColumns:
      return Failure("\(error.list.printable): \(error.sentence)", fix: wanted, cause: error)
    }
    return .file(
      FileFailure(path: error.list, action: .read, fault: fault, purpose: "results"))
  }
}
