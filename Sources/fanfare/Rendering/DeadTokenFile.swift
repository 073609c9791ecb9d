internal import APNS
internal import CommandLineKit
internal import JSONText
internal import PushModel
internal import Recipients

/// Where `--dead-tokens` go: the device tokens that APNs calls dead (410), as they come, in a form
/// that `--suppress` reads.
///
/// A token that was registered after APNs took it for dead is not in it. Neither is one that got
/// `BadDeviceToken`: the wrong environment gives the same answer to every token there is.
struct DeadTokenFile {
  private static let columns = ["token", "reason", "timestamp", "list", "line"]

  private let format: ListFormat
  private let output: Output
  private var json = JSONWriter()

  /// The path.
  let path: String
  /// How many were written.
  private(set) var count = 0

  /// Creates the file, so that a path that cannot be written is found before anything is sent.
  ///
  /// - Parameter continues: whether to write behind what is there instead.
  init(_ path: String, continues: Bool) throws(Failure) {
    self.path = path
    guard let format = ListFormat(path: path) else {
      throw .badSetting(
        name: "--dead-tokens", text: path, expected: "a name in .txt, .csv or .jsonl")
    }
    self.format = format
    let isNew = !continues || isEmptyFile(path)
    do throws(FileFailure) {
      output = Output(
        descriptor: try createFile(path, for: "dead tokens", continues: continues),
        environment: [:], closesDescriptor: true)
    } catch {
      throw .file(error)
    }
    if format == .csv, isNew { output.write(csvLine(Self.columns)) }
  }

  /// Why a line could not be written; nil while all could.
  var failure: FileFailure? {
    output.failure.map { code in
      FileFailure(path: path, action: .write, fault: .system(code), purpose: "dead tokens")
    }
  }

  /// Writes those of a batch whose device token is dead.
  mutating func write(_ results: [PushResult]) {
    let before = count
    for result in results where result.showsDeadToken {
      count += 1
      write(result)
    }
    if count > before { output.flush() }
  }

  private mutating func write(_ result: PushResult) {
    let (push, response) = (result.push, result.response)
    switch format {
    case .txt: output.write(push.token + "\n")
    case .csv:
      output.write(
        csvLine([
          push.token, response?.reason?.rawValue ?? "",
          response?.timestamp.map(String.init) ?? "", push.chunk.list, String(push.line),
        ]))
    case .jsonl:
      json.beginObject()
      json.member("token", push.token)
      json.member("reason", response?.reason?.rawValue)
      json.member("timestamp", response?.timestamp)
      json.member("list", push.chunk.list)
      json.member("line", push.line)
      json.endObject()
      json.endLine()
      output.write(json.bytes)
      json.removeAll()
    }
  }
}

extension PushResult {
  /// Whether the answer says that the device token is dead: a 410, unless the list says that the
  /// app registered it again later than APNs' timestamp.
  var showsDeadToken: Bool {
    guard let response, response.deadToken == .yes else { return false }
    guard let timestamp = response.timestamp,
      let registered = push.chunk.registered(at: push.index)
    else { return true }
    return registered <= timestamp / 1000
  }
}
