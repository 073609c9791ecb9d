internal import JSONText
internal import POSIX
internal import PlainText
internal import Recipients
internal import Reporting
internal import Settings
internal import WebServer

/// A file as the list shows it.
struct ProjectFile: Sendable {
  let path: String
  let kind: FileKind
  var name: String?
  var app: String?
  let bytes: Int
  let version: String

  /// Looks into a file.
  ///
  /// - Parameter read: returns the text of another file of the project; nil without one.
  init?(_ path: String, _ state: FileState, read: (String) -> [UInt8]?) {
    guard let kind = FileKind(path: path) else { return nil }
    (self.path, bytes) = (path, state.size)
    guard state.size <= ProjectFiles.limit, let text = read(path) else {
      (self.kind, version) = (kind, state.version)
      return
    }
    version = FileState.version(of: text)
    let outline = ScenarioOutline(text, file: path)
    self.kind =
      kind == .payload && outline.isScenario
      ? .scenario : kind == .scenario && outline.isScript ? .script : kind
    guard kind != .list, let json = try? JSONReader(.json5).read(text) else { return }
    name = json["name"]?.string
    app = Self.app(in: json, of: path, read: read)
  }

  /// The app that a scenario names, or one that it extends; of an `.apns` file, its target.
  private static func app(
    in json: JSON, of path: String, depth: Int = 8, read: (String) -> [UInt8]?
  ) -> String? {
    if let app = json["bundleID"]?.string ?? json["Simulator Target Bundle"]?.string { return app }
    guard depth > 0, let base = json["extends"]?.string else { return nil }
    let file = base.path(inFolderOf: path, home: nil)
    return read(file).flatMap { try? JSONReader(.json5).read($0) }
      .flatMap { app(in: $0, of: file, depth: depth - 1, read: read) }
  }

  var json: JSON {
    .object([
      ("path", JSON(.string(path))), ("kind", JSON(.string(kind.rawValue))),
      ("name", name.map { JSON(.string($0)) } ?? nil),
      ("app", app.map { JSON(.string($0)) } ?? nil),
      ("bytes", .number(bytes)), ("version", JSON(.string(version))),
    ])
  }
}

/// The state of a file on disk, which changes when it is written.
struct FileState: Sendable, Equatable {
  let size: Int
  private let inode: UInt64
  private let modified: Int64

  init(_ status: stat) {
    size = Int(status.st_size)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    modified = status.modifiedNanoseconds
  }

  /// The version of a file that is too long to read.
  var version: String { "\(size)-\(String(modified, radix: 16))" }

  /// The version of a text: its SHA-256.
  static func version(of text: [UInt8]) -> String {
    hexadecimal(text.withUnsafeBufferPointer { SHA256Hash().digest(of: $0) })
  }
}
