internal import APNS
internal import CommandLineKit
internal import JSONText
internal import PushCore

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
  init(_ path: String, _ context: Context) throws(Failure) {
    self.path = path
    guard path == "-" || path.hasSuffix(".jsonl") || path.hasSuffix(".csv") else {
      throw .badSetting(name: "--results", text: path, expected: "a name in .jsonl or .csv, or '-'")
    }
    format = path.hasSuffix(".csv") ? .csv : .jsonLines
    output = path == "-" ? context.output : try Self.create(path)
    if format == .csv { output.write(csvLine(ResultLine.columns)) }
  }

  private static func create(_ path: String) throws(Failure) -> Output {
    do throws(FileFailure) {
      return Output(
        descriptor: try createFile(path, for: "results"), environment: [:], closesDescriptor: true)
    } catch {
      throw .file(error)
    }
  }

  /// Why a line could not be written; nil while all could.
  var failure: Failure? {
    output.failure.map { code in
      .file(FileFailure(path: path, action: .write, fault: .system(code), purpose: "results"))
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
  }

  /// Writes what is pending.
  func finish() { output.flush() }
}

/// A row of CSV with its line end (RFC 4180): quoted where a cell needs it.
func csvLine(_ cells: [String]) -> String {
  let quoted = cells.map { cell in
    cell.utf8.contains { [0x2C, 0x22, 0x0D, 0x0A].contains($0) }
      ? "\""
        + cell.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\"" : cell
  }
  return quoted.joined(separator: ",") + "\r\n"
}
