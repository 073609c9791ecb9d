internal import APNS
internal import CommandLineKit
internal import JSONText
internal import PushModel
internal import Recipients

/// Where `--results` go: a line per push, written as the results come.
struct ResultFile {
  private enum Format {
    case jsonLines
    case csv
  }

  private let output: Output
  private let format: Format
  private var json = JSONWriter()

  /// The path, or `-`.
  let path: String

  /// Creates the file, so that a path that cannot be written is found before anything is sent.
  ///
  /// - Parameter continues: whether to write behind what is there instead.
  init(_ path: String, continues: Bool, _ context: Context) throws(Failure) {
    self.path = path
    guard path == "-" || path.hasSuffix(".jsonl") || path.hasSuffix(".csv") else {
      throw .badSetting(name: "--results", text: path, expected: "a name in .jsonl or .csv, or '-'")
    }
    format = path.hasSuffix(".csv") ? .csv : .jsonLines
    let isNew = !continues || isEmptyFile(path)
    output = path == "-" ? context.output : try Self.create(path, continues)
    if format == .csv, isNew { output.write(csvLine(resultColumns)) }
  }

  private static func create(_ path: String, _ continues: Bool) throws(Failure) -> Output {
    do throws(FileFailure) {
      return Output(
        descriptor: try createFile(path, for: "results", continues: continues), environment: [:],
        closesDescriptor: true)
    } catch {
      throw .file(error)
    }
  }

  /// Why a line could not be written; nil while all could.
  var failure: FileFailure? {
    output.failure.map { code in
      FileFailure(path: path, action: .write, fault: .system(code), purpose: "results")
    }
  }

  /// Writes a batch of results.
  mutating func write(_ results: [PushResult], apnsID: (Push) -> APNSID) {
    for result in results {
      let line = ResultLine(result: result, apnsID: apnsID(result.push))
      switch format {
      case .jsonLines:
        line.write(to: &json)
        json.endLine()
      case .csv: output.write(csvLine(line.cells))
      }
    }
    output.write(json.bytes)
    json.removeAll()
    // What was answered is in the file even if this process is killed now.
    output.flush()
  }
}
