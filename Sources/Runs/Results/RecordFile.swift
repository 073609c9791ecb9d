package import APNS
internal import History
internal import PlainText
package import PushModel
package import Reporting
package import Settings

/// The endings of files that are written, and what they say of the format, in either case.
package enum FileEnding: String, CaseIterable {
  case jsonl
  case ndjson
  case csv
  case tsv
  case txt
  case har
  case sh

  /// The ending of a file's name; nil for any other.
  package init?(path: String) {
    guard let ending = Self.text(of: path).flatMap({ Self(rawValue: $0.lowercased()) }) else {
      return nil
    }
    self = ending
  }

  /// What follows the last dot of a file's name; nil when there is none.
  package static func text(of path: String) -> Substring? {
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...] }
  }

  /// The form of an export of this ending: the one table of endings; nil for text, which no export is.
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

  /// How records are written; nil in files that hold requests.
  var format: RecordEncoder.Format? {
    self == .txt ? .text : export?.records(isSafe: true)
  }

  /// Whether results can be written: every column of a record.
  var takesResults: Bool { format != nil && format != .text }

  /// `.jsonl, .ndjson, .csv or .tsv`: the endings of which something is true.
  static func list(where isWanted: (FileEnding) -> Bool) -> String {
    let names = allCases.filter(isWanted).map { ".\($0.rawValue)" }
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}

/// The forms of `fanfare history export`. ``FileEnding/export`` says which a file gets.
package enum ExportFormat: String, CaseIterable, Sendable {
  case jsonl
  case csv
  case tsv
  case har
  case curl
}

extension ExportFormat {
  /// How records are written; nil for requests.
  ///
  /// - Parameter isSafe: whether a table is kept from running in a spreadsheet.
  package func records(isSafe: Bool) -> RecordEncoder.Format? {
    switch self {
    case .jsonl: .jsonLines
    case .csv: .csv(isSafe: isSafe)
    case .tsv: .csv(isSafe: isSafe, separator: UInt8(ascii: "\t"))
    case .har, .curl: nil
    }
  }

  /// Whether it is a table, which a spreadsheet may open.
  package var isTable: Bool { self == .csv || self == .tsv }
}

/// A file of records that is written while they come: opened in time to find a path that cannot be
/// written, and begun once nothing else can fail.
struct RecordFile {
  private let output: Output
  /// Nil when it is standard output.
  private let descriptor: Int32?
  private let format: RecordEncoder.Format
  private var encoder: RecordEncoder
  private let columns: [String]
  private let purpose: String

  /// The path, or `-`.
  let path: String

  /// Whether it is a plain file that was there before it was opened.
  let wasThere: Bool

  /// Whether no record was in it when it was begun.
  private(set) var wasBare = true

  /// Opens the file, and changes nothing that is in it.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is `standardOutput`.
  ///   - columns: the names of the records' columns.
  ///   - purpose: what the file is for, as errors say it.
  init(
    _ path: String, _ format: RecordEncoder.Format, columns: [String], for purpose: String,
    standardOutput: Output? = nil
  ) throws(Failure) {
    (self.path, self.format, self.columns, self.purpose) = (path, format, columns, purpose)
    wasThere = (path != "-" || standardOutput == nil) && isPlainFile(path)
    encoder = RecordEncoder(format)
    if let standardOutput, path == "-" {
      (output, descriptor) = (standardOutput, nil)
    } else {
      let file = try attempt(try openFile(path, for: purpose)) { .file($0) }
      (output, descriptor) = (Output(descriptor: file, closesDescriptor: true), file)
    }
  }

  /// Empties the file, or prepares it for more. If nothing is in it, it gets a header row in a format
  /// that has one.
  ///
  /// - Parameter continues: whether what is in the file stays, except for half a line at its end.
  /// - Returns: whether there was half a line, which was cut off.
  /// - Throws: `Failure` when it cannot be written, or when a table is to be continued that has other
  ///   columns.
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

  /// Why a record could not be written; nil while all could.
  var failure: FileFailure? {
    output.failure.map { code in
      FileFailure(path: path, action: .write, fault: .system(code), purpose: purpose)
    }
  }

  /// Reads its lines again, the last one first, until `body` returns false. There are none where it is
  /// no plain file.
  func forEachLine(_ body: (RecordLine) -> Bool) {
    guard let descriptor else { return }
    readLines(fromEndOf: descriptor) { line in
      body(RecordLine(line, format, columns: columns))
    }
  }

  /// Appends records. They are in the file even if this process is killed right after.
  mutating func write(_ records: some Sequence<some Record>) {
    // After a write that failed, such as on a full disk, half a record may be at the end.
    if failure != nil, let descriptor { _ = cutTornLine(descriptor) }
    for record in records { encoder.encode(record) }
    encoder.drain(output.write)
    output.flush()
  }
}

extension Failure {
  /// Rows under a header that is not theirs would be read as something else.
  fileprivate static func otherColumns(_ path: String, for purpose: String) -> Failure {
    Failure(
      "The \(purpose) file \(path.printable) has other columns than what would be added.",
      fix: "Give another file. An earlier version wrote this one, or --columns was different.")
  }
}

/// Where `--results` go: a record per push, written as the results come. What a kill keeps from it is
/// added when the run is resumed with the same file.
package struct ResultFile {
  private var file: RecordFile
  private let step: ResultStep?
  private let listed: [String]

  /// Opens the file, and changes nothing that is in it.
  ///
  /// - Parameters:
  ///   - step: the step of a scenario whose pushes it gets; nil without one.
  ///   - listed: the list's own columns that it gets.
  package init(
    _ path: String, of step: ResultStep? = nil, listing listed: [String] = [], _ context: Context
  ) throws(Failure) {
    guard let format = path == "-" ? .jsonLines : FileEnding(path: path)?.format, format != .text
    else {
      let endings = FileEnding.list(where: \.takesResults)
      throw .badSetting(name: "--results", text: path, expected: "a name in \(endings), or '-'")
    }
    (self.step, self.listed) = (step, listed)
    let columns = ResultLine<PushResult>.columns(isOfStep: step != nil, listing: listed)
    file = try RecordFile(
      path, format, columns: columns, for: "results", standardOutput: context.output)
  }

  /// Lines on standard output that a template makes of the same columns.
  package init(
    _ template: LineTemplate, of step: ResultStep?, listing listed: [String], _ context: Context
  ) throws(Failure) {
    (self.step, self.listed) = (step, listed)
    file = try RecordFile(
      "-", .line(template), columns: [], for: "results", standardOutput: context.output)
  }

  /// See ``RecordFile/begin(continues:)``.
  package mutating func begin(continues: Bool) throws(Failure) -> Bool {
    try file.begin(continues: continues)
  }

  /// Adds what the history has of a run that goes on, and the file, which earlier passes of the run
  /// wrote, lacks since its last result. Nothing is added to a file of something else.
  ///
  /// - Returns: how many results.
  package mutating func complete(from run: CommittedRun) throws(Failure) -> Int {
    let written = try results(of: run)
    var first = try written.count > 0 ? run.firstLacking(in: written) : nil
    if file.wasThere, file.wasBare { first = try run.onlyCommitOfKilledPass() }
    guard let first else { return 0 }
    return try add(from: first, of: run, lacking: written)
  }

  /// Adds the results of the commits that follow one, whatever the file holds.
  package mutating func add(after number: Int64, of run: CommittedRun) throws(Failure) {
    let nothing = WrittenResults(of: run.entry.record.identity)
    _ = try add(from: number + 1, of: run, lacking: nothing)
  }

  private mutating func add(
    from first: Int64, of run: CommittedRun, lacking written: WrittenResults
  ) throws(Failure) -> Int {
    var count = 0
    try run.forEachLacking(from: first, in: written) { [step, listed] pushes in
      count += pushes.count
      file.write(
        run.told(pushes).lazy.map { push in
          ResultLine(result: push, apnsID: push.entry.apnsID, step: step, listed: listed)
        })
    }
    return count
  }

  /// The last of a run that are in it: more than a commit and what may stand behind it.
  private func results(of run: CommittedRun) throws(Failure) -> WrittenResults {
    var written = WrittenResults(of: run.entry.record.identity)
    let wanted = WrittenResults.reserve + (try run.commit()?.sequences.count ?? 0)
    file.forEachLine { line in
      written.add(line)
      return written.count < wanted
    }
    return written
  }

  /// The path, or `-`.
  package var path: String { file.path }

  /// Why a result could not be written; nil while all could.
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
