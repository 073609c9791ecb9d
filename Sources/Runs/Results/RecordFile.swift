package import APNS
internal import History
internal import PlainText
package import PushModel
package import Reporting
package import Settings

/// The extensions of output files, which determine the format. Case is ignored.
package enum FileExtension: String, CaseIterable {
  case jsonl
  case ndjson
  case csv
  case tsv
  case txt
  case har
  case sh

  /// The extension of a file's name; nil if unknown.
  package init?(path: String) {
    guard let ending = Self.text(of: path).flatMap({ Self(rawValue: $0.lowercased()) }) else {
      return nil
    }
    self = ending
  }

  /// The part after the last dot of a file's name; nil if there is no dot.
  package static func text(of path: String) -> Substring? {
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...] }
  }

  /// The export format of the extension, from the only table; nil for text, which is no export.
  package var export: ExportFormat? {
    switch self {
    case .jsonl, .ndjson: .jsonl
    case .csv: .csv
    case .tsv: .tsv
    case .txt: nil
    case .har: .har
    case .sh: .curl
    }
  }

  /// The format of records; nil for files that hold requests.
  var format: RecordEncoder.Format? {
    self == .txt ? .text : export?.records(isSafe: true)
  }

  /// The format can hold results, with every column of a record.
  var takesResults: Bool { format != nil && format != .text }

  /// `.jsonl, .ndjson, .csv or .tsv`: the extensions that satisfy a condition.
  static func list(where isWanted: (FileExtension) -> Bool) -> String {
    let names = allCases.filter(isWanted).map { ".\($0.rawValue)" }
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}

/// The formats of `fanfare history export`. ``FileExtension/export`` chooses one for a file.
package enum ExportFormat: String, CaseIterable, Sendable {
  case jsonl
  case csv
  case tsv
  case har
  case curl
}

extension ExportFormat {
  /// The format of records; nil for requests.
  ///
  /// - Parameter isSafe: keeps spreadsheets from running a table's text as formulas.
  package func records(isSafe: Bool) -> RecordEncoder.Format? {
    switch self {
    case .jsonl: .jsonLines
    case .csv: .csv(isSafe: isSafe)
    case .tsv: .csv(isSafe: isSafe, separator: UInt8(ascii: "\t"))
    case .har, .curl: nil
    }
  }

  /// A table, which a spreadsheet can open.
  package var isTable: Bool { self == .csv || self == .tsv }
}

/// A file of records written as they arrive: opened early to detect an unwritable path, and begun
/// once nothing else can fail.
struct RecordFile {
  private let output: Output
  /// Nil for standard output and other descriptors of the caller, which only take more.
  private let descriptor: Int32?
  private let format: RecordEncoder.Format
  private var encoder: RecordEncoder
  private let columns: [String]
  private let purpose: String

  /// The path, or `-`.
  let path: String

  /// It is a regular file that existed before it was opened.
  let wasThere: Bool

  /// The file had no records when it was begun.
  private(set) var wasBare = true

  /// Opens the file without changing its contents.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is `standardOutput`.
  ///   - columns: the names of the records' columns.
  ///   - purpose: the file's purpose, for error messages.
  init(
    _ path: String, _ format: RecordEncoder.Format, columns: [String], for purpose: String,
    standardOutput: Output? = nil
  ) throws(Failure) {
    (self.path, self.format, self.columns, self.purpose) = (path, format, columns, purpose)
    encoder = RecordEncoder(format)
    if let standardOutput, path == "-" {
      (output, descriptor, wasThere) = (standardOutput, nil, false)
    } else {
      let isOpen = isOpenDescriptor(path)
      wasThere = !isOpen && isPlainFile(path)
      let file = try attempt(try openFile(path, for: purpose)) { .file($0) }
      (output, descriptor) = (Output(descriptor: file, closesDescriptor: true), isOpen ? nil : file)
    }
    output.require(purpose)
  }

  /// Empties the file, or prepares it for appending. An empty file gets a header row if the format
  /// has one.
  ///
  /// - Parameter continues: keeps the file's contents, except for an incomplete last line.
  /// - Returns: true if an incomplete last line was cut off.
  /// - Throws: `Failure` if it cannot be written, or the columns of a table to continue differ.
  mutating func begin(continues: Bool) throws(Failure) -> Bool {
    encoder.encodeHeader(columns)
    let header = encoder.drained()
    var isTorn = false
    if let descriptor {
      if continues, !fileBegins(descriptor, withLineOf: header) {
        throw .otherColumns(path, for: purpose)
      }
      let cut = continues ? cutTornLine(descriptor) : emptyFile(descriptor) ? false : nil
      guard let cut else { throw .file(.unwritable(path, for: purpose)) }
      isTorn = cut
    }
    let size = descriptor.flatMap(fileSize) ?? 0
    if size == 0 { output.write(header) }
    wasBare = size == 0 || size == header.count
    return isTorn
  }

  /// The reason a record could not be written; nil if there was no failure, and for standard output,
  /// whose failure the command tells when it ends.
  var failure: FileFailure? {
    (path == "-" && descriptor == nil ? nil : output.failure).map { code in
      FileFailure(path: path, action: .write, fault: .system(code), purpose: purpose)
    }
  }

  /// Rereads the lines from last to first, until `body` returns false. Only regular files have any.
  func forEachLine(_ body: (RecordLine) -> Bool) {
    guard let descriptor else { return }
    readLines(fromEndOf: descriptor) { line in
      body(RecordLine(line, format, columns: columns))
    }
  }

  /// Appends records. They survive even if this process is killed right afterwards.
  mutating func write(_ records: some Sequence<some Record>) {
    // After a failed write, as on a full disk, the file may end in an incomplete record.
    if failure != nil, let descriptor { _ = cutTornLine(descriptor) }
    for record in records { encoder.encode(record) }
    encoder.drain(output.write)
    output.flush()
  }
}

extension Failure {
  /// Rows under a different header would be misread.
  fileprivate static func otherColumns(_ path: String, for purpose: String) -> Failure {
    Failure(
      "The \(purpose) file \(path.printable) has other columns than what would be added.",
      fix: "Give another file. An earlier version wrote this one, or --columns was different.")
  }
}

/// The file of `--results`: a record per push, written as results arrive. Records lost to a kill
/// are added when the run is resumed with the same file.
package struct ResultFile {
  private var file: RecordFile
  private let step: ResultStep?
  private let listed: [String]

  /// Opens the file without changing its contents.
  ///
  /// - Parameters:
  ///   - format: the format; nil goes by the path, and is JSON for standard output, a pipe or a
  ///     device whose name does not tell.
  ///   - step: the scenario's step that the pushes belong to; nil for none.
  ///   - listed: the list's own columns to include.
  package init(
    _ path: String, as format: ResultsFormat? = nil, of step: ResultStep? = nil,
    listing listed: [String] = [], _ context: Context
  ) throws(Failure) {
    let isStream = path == "-" || isOpenDescriptor(path) || isPipeOrDevice(path)
    let kind = format.flatMap { FileExtension(rawValue: $0.rawValue) } ?? FileExtension(path: path)
    guard let format = kind?.format ?? (isStream ? .jsonLines : nil), format != .text else {
      let endings = FileExtension.list(where: \.takesResults)
      throw .badSetting(
        name: "--results", text: path,
        expected: "a name in \(endings), or '-'; or give --results-format")
    }
    (self.step, self.listed) = (step, listed)
    let columns = ResultLine<PushResult>.columns(isOfStep: step != nil, listing: listed)
    file = try RecordFile(
      path, format, columns: columns, for: FileFailure.results, standardOutput: context.teller.data)
  }

  /// Writes lines to standard output, formatted by a template from the same columns.
  package init(
    _ template: LineTemplate, of step: ResultStep?, listing listed: [String], _ context: Context
  ) throws(Failure) {
    (self.step, self.listed) = (step, listed)
    file = try RecordFile(
      "-", .line(template), columns: [], for: FileFailure.results,
      standardOutput: context.teller.data)
  }

  /// See ``RecordFile/begin(continues:)``.
  package mutating func begin(continues: Bool) throws(Failure) -> Bool {
    try file.begin(continues: continues)
  }

  /// Adds results of a continued run that the file lacks since its last result. The file has to be
  /// one that earlier passes of the run wrote; otherwise nothing is added, unless the run is over.
  ///
  /// - Returns: the number of results added.
  package mutating func complete(from run: CommittedRun) throws(Failure) -> Int {
    let written = try results(of: run)
    var first = try written.count > 0 ? run.firstLacking(in: written) : nil
    if file.wasThere, file.wasBare { first = try run.onlyCommitOfKilledPass() }
    if run.isOver, path != "-" { first = 1 }
    guard let first else { return 0 }
    return try add(from: first, of: run, lacking: written)
  }

  /// Adds all results of the commits after a number, regardless of the file's contents.
  package mutating func add(after number: Int64, of run: CommittedRun) throws(Failure) {
    let nothing = WrittenResults(of: run.entry.record.identity)
    _ = try add(from: number + 1, of: run, lacking: nothing)
  }

  private mutating func add(
    from first: Int64, of run: CommittedRun, lacking written: WrittenResults
  ) throws(Failure) -> Int {
    var count = 0
    try run.forEachCommit(from: first) { [step, listed] pushes in
      let pushes = pushes.filter { !written.has($0) }
      count += pushes.count
      file.write(
        run.told(pushes).lazy.map { push in
          ResultLine(result: push, apnsID: push.entry.apnsID, step: step, listed: listed)
        })
    }
    return count
  }

  /// The last results of a run in the file: enough for a commit and anything after it; all of them
  /// if the run is over.
  private func results(of run: CommittedRun) throws(Failure) -> WrittenResults {
    var written = WrittenResults(of: run.entry.record.identity)
    let wanted =
      run.isOver ? .max : WrittenResults.reserve + (try run.commit()?.sequences.count ?? 0)
    file.forEachLine { line in
      written.add(line)
      return written.count < wanted
    }
    return written
  }

  /// The path, or `-`.
  package var path: String { file.path }

  /// The reason a result could not be written; nil if there was no failure.
  package var failure: FileFailure? { file.failure }

  /// Writes a batch of results.
  package mutating func write(_ results: [PushResult], apnsID: (Push) -> APNSID) {
    withoutActuallyEscaping(apnsID) { [step, listed] apnsID in
      file.write(
        results.lazy.map {
          ResultLine(result: $0, apnsID: apnsID($0.push), step: step, listed: listed)
        })
    }
  }
}
