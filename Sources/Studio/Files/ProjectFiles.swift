internal import JSONText
internal import POSIX
internal import Reporting
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
    let place = try folder.existing(path)
    guard let state = FileState(place) else { throw .missing }
    if let entry = known.withLock({ $0[path] }), entry.state == state { return entry.file }
    guard let file = ProjectFile(path, at: place, state, read: { try? bytes($0) }) else {
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
    let place = try folder.existing(path)
    do throws(FileFailure) {
      return try readFile(place, for: "project", limit: Self.limit)
    } catch {
      throw .failed(error)
    }
  }

  /// The file's version as it is now; nil if there is no file.
  private func version(_ path: String) throws(HTTPRefusal) -> String? {
    guard fileExists(try folder.place(of: path)) else { return nil }
    return try file(path).version
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
    let (place, bytes) = (try folder.place(of: path), Array(text.utf8))
    if bytes.count > Self.limit { throw .tooLong(Self.limit) }
    return try change(path, knowing: version) { () throws(FileFailure) in
      try createFolders(of: place)
      try replaceFile(place, with: bytes, for: "project", mode: 0o644)
      return FileState.version(of: bytes)
    }
  }

  /// Moves a file into the bin.
  func delete(_ path: String, knowing version: String) throws(HTTPRefusal) -> Outcome {
    let place = try folder.existing(path)
    return try change(path, knowing: version) { () throws(FileFailure) in
      try bin.take(place, path)
    }
  }

  func move(
    _ path: String, to other: String, knowing version: String
  ) throws(HTTPRefusal) -> Outcome {
    let (place, target) = (try folder.existing(path), try folder.place(of: other))
    if fileExists(target) {
      throw HTTPRefusal(
        HTTPRefusal.conflict, "There is a file \(other) already.", fix: "Choose another name.")
    }
    return try change(path, knowing: version) { () throws(FileFailure) in
      try moveFile(place, to: target)
      return version
    }
  }

  /// Moves a file out of the bin.
  ///
  /// - Returns: the file's path.
  func restore(_ id: String) throws(HTTPRefusal) -> String {
    guard let entry = bin.entries.first(where: { $0.id == id }) else { throw .missing }
    let place = try folder.place(of: entry.path)
    return try turn.withLock { _ throws(HTTPRefusal) in
      do throws(FileFailure) {
        try bin.restore(entry, to: place)
        return entry.path
      } catch {
        throw .failed(error)
      }
    }
  }

  private func change(
    _ path: String, knowing version: String?, _ body: () throws(FileFailure) -> String
  ) throws(HTTPRefusal) -> Outcome {
    try turn.withLock { _ throws(HTTPRefusal) in
      let current = try self.version(path)
      guard current == version else {
        return .changed(text: try? text(path).text, version: current)
      }
      do throws(FileFailure) {
        return .done(version: try body())
      } catch {
        throw .failed(error)
      }
    }
  }
}

/// Moves a file, also to another file system, and makes the folders that it needs.
///
/// - Throws: `FileFailure`, also if a file is there already.
func moveFile(_ place: String, to target: String, mode: mode_t = 0o755) throws(FileFailure) {
  func failure(_ code: Int32) -> FileFailure {
    FileFailure(path: target, action: .write, fault: .system(code), purpose: "project")
  }
  try createFolders(of: target, mode: mode)
  if fileExists(target) { throw failure(EEXIST) }
  if rename(place, target) == 0 { return }
  guard errno == EXDEV else { throw failure(errno) }
  try replaceFile(
    target, with: try readFile(place, for: "project", limit: .max - 1), for: "project")
  unlink(place)
}
