internal import JSONText
internal import Synchronization
internal import WebServer

/// The files of a project, and changes to them, one at a time.
final class ProjectFiles: Sendable {
  /// The longest text that is read and written, in bytes.
  static let limit = 1 << 20

  let folder: ProjectFolder
  let bin: FileBin
  private let known = Mutex<[String: (state: FileState, file: ProjectFile)]>([:])
  private let turn = Mutex(())

  init(_ folder: ProjectFolder, _ bin: FileBin) { (self.folder, self.bin) = (folder, bin) }

  /// All files, sorted by path, and how many have names that cannot be served. Files that have not
  /// changed are not read again.
  func list() -> (files: [ProjectFile], leftOut: Int) {
    let listing = folder.paths
    let files = listing.served.compactMap { try? file($0) }
    known.withLock { known in
      let paths = Set(files.map(\.path))
      for path in known.keys where !paths.contains(path) { known[path] = nil }
    }
    return (files.sorted { $0.path < $1.path }, listing.leftOut)
  }

  /// - Throws: `HTTPRefusal` if there is no such file.
  func file(_ path: String) throws(HTTPRefusal) -> ProjectFile {
    let state = try folder.state(of: path)
    if let entry = known.withLock({ $0[path] }), entry.state == state { return entry.file }
    guard let file = ProjectFile(path, state, read: { try? bytes($0) }) else {
      throw .outside
    }
    known.withLock { $0[path] = (state, file) }
    return file
  }

  func text(_ path: String) throws(HTTPRefusal) -> (text: String, version: String) {
    let bytes = try bytes(path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw HTTPRefusal(
        HTTPRefusal.unsupportedMediaType, "\(path) is not UTF-8 text.", fix: "Convert it first.")
    }
    return (text, FileState.version(of: bytes))
  }

  private func bytes(_ path: String) throws(HTTPRefusal) -> [UInt8] {
    try folder.file(path).read(limit: Self.limit)
  }

  /// The file's version as it is now; nil if there is no file.
  private func version(_ path: String) throws(HTTPRefusal) -> String? {
    do throws(HTTPRefusal) {
      return try file(path).version
    } catch {
      if error == .missing { return nil }
      throw error
    }
  }
}

// Changes.
extension ProjectFiles {
  /// An outcome of a change.
  enum Outcome {
    case done(version: String)
    /// The file is not as the caller knows it; nil if there is none.
    case changed(text: String?, version: String?)
  }

  /// Replaces the text of a file, or makes one.
  ///
  /// - Parameter version: what the caller knows; nil if there should be no file.
  func write(
    _ path: String, _ text: String, knowing version: String?
  ) throws(HTTPRefusal) -> Outcome {
    let bytes = Array(text.utf8)
    if bytes.count > Self.limit { throw .tooLong(Self.limit) }
    return try change(path, knowing: version) { () throws(HTTPRefusal) in
      try folder.file(path, makesFolders: true).replace(with: bytes)
      return FileState.version(of: bytes)
    }
  }

  /// Moves a file into the bin.
  func delete(_ path: String, knowing version: String) throws(HTTPRefusal) -> Outcome {
    let file = try existing(path)
    return try change(path, knowing: version) { () throws(HTTPRefusal) in
      try bin.take(file, path)
    }
  }

  func move(
    _ path: String, to other: String, knowing version: String
  ) throws(HTTPRefusal) -> Outcome {
    let file = try existing(path)
    return try change(path, knowing: version) { () throws(HTTPRefusal) in
      try file.move(to: folder.file(other, makesFolders: true))
      return version
    }
  }

  /// Moves a file out of the bin.
  ///
  /// - Returns: the file's path.
  func restore(_ id: String) throws(HTTPRefusal) -> String {
    guard let entry = bin.entries.first(where: { $0.id == id }) else { throw .missing }
    return try turn.withLock { _ throws(HTTPRefusal) in
      try bin.restore(entry, to: folder.file(entry.path, makesFolders: true))
      return entry.path
    }
  }

  /// A file to be moved; where its path is a link, that.
  private func existing(_ path: String) throws(HTTPRefusal) -> HeldFile {
    try folder.state(of: path)
    return try folder.file(path, isLink: true)
  }

  private func change(
    _ path: String, knowing version: String?, _ body: () throws(HTTPRefusal) -> String
  ) throws(HTTPRefusal) -> Outcome {
    try turn.withLock { _ throws(HTTPRefusal) in
      let current = try self.version(path)
      guard current == version else {
        return .changed(text: try? text(path).text, version: current)
      }
      return .done(version: try body())
    }
  }
}
