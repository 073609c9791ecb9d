package import APNS
internal import History
internal import JSONText
internal import PlainText
package import PushModel
package import Reporting
package import Settings

/// A file of records written as they arrive: opened early to detect an unwritable path, and begun
/// once nothing else can fail.
struct RecordFile {
  private let output: Output
  /// Nil for standard output and other descriptors of the caller, which only take more.
  private let descriptor: Int32?
  private let encoder: any RecordEncoder
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
    _ path: String, _ encoder: any RecordEncoder, columns: [String], for purpose: String,
    standardOutput: Output? = nil
  ) throws(Failure) {
    (self.path, self.encoder, self.columns, self.purpose) = (path, encoder, columns, purpose)
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
      body(encoder.read(Array(line.prefix { !Self.lineEnds.contains($0) }), columns))
    }
  }

  private static let lineEnds = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]

  /// Appends records. They survive even if this process is killed right afterwards.
  ///
  /// - Returns: how many of them are in the file.
  @discardableResult
  func write<Source>(
    _ records: some Sequence<Source>, _ fields: [OutputField<Source>]
  ) -> Int {
    let size = descriptor.flatMap(fileSize)
    var ends: [Int] = []
    for record in records {
      encoder.beginRecord()
      for field in fields { field.write(record, encoder) }
      encoder.endRecord()
      ends.append(encoder.bytes.count)
    }
    output.write(encoder.bytes)
    encoder.removeAll()
    output.flush()
    guard failure != nil, let descriptor, let size else { return ends.count }
    // After a failed write, as on a full disk, the file may end in an incomplete record.
    _ = cutTornLine(descriptor)
    let written = (fileSize(descriptor) ?? size) - size
    return ends.prefix { $0 <= written }.count
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
  private let fields: [OutputField<ResultLine<PushResult>>]
  private let storedFields: [OutputField<ResultLine<DescribedPush>>]

  /// Opens the file without changing its contents.
  ///
  /// - Parameters:
  ///   - format: the format; nil goes by the path, and is JSON for standard output, a pipe or a
  ///     device whose name does not tell.
  ///   - step: the scenario's step that the pushes belong to; nil for none.
  ///   - listed: the list's own columns to include.
  package init(
    _ path: String, as format: RecordFormat? = nil, of step: ResultStep? = nil,
    listing listed: [String] = [], _ context: Context
  ) throws(Failure) {
    let isStream = path == "-" || isOpenDescriptor(path) || isPipeOrDevice(path)
    let known = format ?? .of(path: path) ?? (isStream ? .jsonLines : nil)
    guard let known, known.isComplete else {
      throw .badSetting(
        name: "--results", text: path,
        expected: "a name in \(RecordFormat.ofResults.endings), or '-'; or give --results-format")
    }
    try self.init(path, known.encoder(), of: step, listing: listed, context)
  }

  /// Writes lines to standard output, formatted by a template from the same columns.
  package init(
    _ template: LineTemplate, of step: ResultStep?, listing listed: [String], _ context: Context
  ) throws(Failure) {
    try self.init("-", RecordFormat.lines(template), of: step, listing: listed, context)
  }

  private init(
    _ path: String, _ encoder: any RecordEncoder, of step: ResultStep?, listing listed: [String],
    _ context: Context
  ) throws(Failure) {
    fields = ResultLine.fields(of: step, listing: listed)
    storedFields = ResultLine.fields(of: step, listing: listed)
    file = try RecordFile(
      path, encoder, columns: storedFields.keys().map(\.name) + listed, for: FileFailure.results,
      standardOutput: context.teller.data)
  }

  /// See ``RecordFile/begin(continues:)``.
  package mutating func begin(continues: Bool) throws(Failure) -> Bool {
    try file.begin(continues: continues)
  }

  /// It is a file that had no results when it was begun, and can be completed later.
  package var isNew: Bool { file.wasBare && isPlainFile(path) }

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
    try run.forEachCommit(from: first) { pushes in
      let pushes = pushes.filter { !written.has($0) }
      count += pushes.count
      file.write(
        run.told(pushes).lazy.map { ResultLine(result: $0, apnsID: $0.entry.apnsID) }, storedFields)
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

  /// Rereads the lines from last to first, until `body` returns false.
  func forEachLine(_ body: (RecordLine) -> Bool) { file.forEachLine(body) }

  /// The path, or `-`.
  package var path: String { file.path }

  /// The reason a result could not be written; nil if there was no failure.
  package var failure: FileFailure? { file.failure }

  /// Writes a batch of results.
  package mutating func write(
    _ results: some Sequence<PushResult>, apnsID: (Push) -> APNSID
  ) {
    withoutActuallyEscaping(apnsID) { apnsID in
      let lines = results.lazy.map { ResultLine(result: $0, apnsID: apnsID($0.push)) }
      _ = file.write(lines, fields)
    }
  }
}
