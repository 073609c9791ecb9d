internal import APNS
internal import PushModel

/// The endings of files that are written, and what they say of the format, in either case.
enum FileEnding: String {
  case jsonl
  case ndjson
  case csv
  case tsv
  case txt
  case har
  case sh

  /// The ending of a file's name; nil for any other.
  init?(path: String) {
    guard let ending = Self.text(of: path).flatMap({ Self(rawValue: $0.lowercased()) }) else {
      return nil
    }
    self = ending
  }

  /// What follows the last dot of a file's name; nil when there is none.
  static func text(of path: String) -> Substring? {
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...] }
  }

  /// How records are written; nil in files that hold requests.
  var format: RecordEncoder.Format? {
    switch self {
    case .jsonl, .ndjson: .jsonLines
    case .csv: .csv(isSafe: false)
    case .tsv: .csv(isSafe: false, separator: UInt8(ascii: "\t"))
    case .txt: .text
    case .har, .sh: nil
    }
  }
}

/// A file of records that is written while they come.
struct RecordFile {
  private let output: Output
  private var encoder: RecordEncoder
  private let purpose: String

  /// The path, or `-`.
  let path: String

  /// Creates the file, so that a path that cannot be written is found before anything is sent. A file
  /// that is new, or empty, gets a header row in a format that has one.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is `standardOutput`.
  ///   - columns: the names of the records' columns.
  ///   - purpose: what the file is for, as errors say it.
  ///   - continues: whether to append to a file that exists; else it is replaced.
  init(
    _ path: String, _ format: RecordEncoder.Format, columns: [String], for purpose: String,
    continues: Bool, standardOutput: Output? = nil
  ) throws(Failure) {
    (self.path, self.purpose) = (path, purpose)
    encoder = RecordEncoder(format)
    let isNew = !continues || isEmptyFile(path)
    if let standardOutput, path == "-" {
      output = standardOutput
    } else {
      do throws(FileFailure) {
        output = Output(
          descriptor: try createFile(path, for: purpose, continues: continues), environment: [:],
          closesDescriptor: true)
      } catch {
        throw .file(error)
      }
    }
    if isNew { encoder.encodeHeader(columns) }
    encoder.drain(output.write)
  }

  /// Why a record could not be written; nil while all could.
  var failure: FileFailure? {
    output.failure.map { code in
      FileFailure(path: path, action: .write, fault: .system(code), purpose: purpose)
    }
  }

  /// Appends records. They are in the file even if this process is killed right after.
  mutating func write(_ records: some Sequence<some Record>) {
    for record in records { encoder.encode(record) }
    encoder.drain(output.write)
    output.flush()
  }
}

/// Where `--results` go: a record per push, written as the results come.
struct ResultFile {
  private var file: RecordFile

  /// - Parameter continues: whether to append to a file that exists; else it is replaced.
  init(_ path: String, continues: Bool, _ context: Context) throws(Failure) {
    guard let format = path == "-" ? .jsonLines : FileEnding(path: path)?.format, format != .text
    else {
      throw .badSetting(name: "--results", text: path, expected: "a name in .jsonl or .csv, or '-'")
    }
    file = try RecordFile(
      path, format, columns: ResultLine<PushResult>.columns, for: "results", continues: continues,
      standardOutput: context.output)
  }

  /// The path, or `-`.
  var path: String { file.path }

  /// Why a result could not be written; nil while all could.
  var failure: FileFailure? { file.failure }

  /// Writes a batch of results.
  mutating func write(_ results: [PushResult], apnsID: (Push) -> APNSID) {
    withoutActuallyEscaping(apnsID) { apnsID in
      file.write(results.lazy.map { ResultLine(result: $0, apnsID: apnsID($0.push)) })
    }
  }
}
