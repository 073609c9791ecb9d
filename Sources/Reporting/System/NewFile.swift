package import POSIX

/// A file being written: under a temporary name until it is complete, so that no reader sees half
/// of it. Anything but a plain file, such as a pipe, is written directly.
package final class NewFile {
  private let path: String
  private let purpose: String
  /// The temporary path; nil when the file is written directly.
  package let beside: String?
  private let place: String

  /// The output that writes into the file.
  package let output: Output

  /// Opens a file, so that an unwritable path is found before the work begins.
  ///
  /// - Parameters:
  ///   - mode: the permissions; readable by the owner only by default.
  ///   - appends: whether to append to a file that others write to as well.
  package init(
    _ path: String, for purpose: String, mode: mode_t = 0o600, appends: Bool = false
  ) throws(FileFailure) {
    let kind = fileKind(of: path)
    if kind == S_IFDIR {
      throw FileFailure(path: path, action: .write, fault: .isFolder, purpose: purpose)
    }
    // Links are resolved, so that the link itself stays.
    place = kind == S_IFREG ? realPath(path) ?? path : path
    if !appends, kind == nil || kind == S_IFREG {
      let (name, descriptor) = try makeTemporaryFile("\(place).", for: purpose, of: path)
      fchmod(descriptor, mode)
      beside = name
      output = Output(descriptor: descriptor, closesDescriptor: true)
    } else {
      let flags = appends ? O_APPEND | O_CREAT : 0
      let descriptor = open(path, O_WRONLY | O_CLOEXEC | flags, mode)
      guard descriptor >= 0 else { throw .unwritable(path, for: purpose) }
      beside = nil
      output = Output(descriptor: descriptor, closesDescriptor: true)
    }
    (self.path, self.purpose) = (path, purpose)
  }

  deinit { if let beside { unlink(beside) } }

  /// Flushes pending output to the temporary file.
  func complete() throws(FileFailure) { try output.complete(path, for: purpose) }

  /// Moves the complete file to its path.
  package func finish() throws(FileFailure) {
    try complete()
    if let beside, rename(beside, place) != 0 { throw .unwritable(path, for: purpose) }
  }
}

/// Writes a whole file that all users can read.
package func replaceFile(
  _ path: String, with bytes: [UInt8], for purpose: String
) throws(FileFailure) {
  let file = try NewFile(path, for: purpose, mode: 0o644)
  file.output.write(bytes)
  try file.finish()
}

/// Writes new files and the folders they need, all or nothing: each is complete under a temporary
/// name before the first is moved to its path.
///
/// - Throws: `FileFailure`; then nothing is left behind.
package func writeTogether(_ files: [(path: String, text: String)], for purpose: String)
  throws(FileFailure)
{
  var (folders, placed) = ([String](), [String]())
  do throws(FileFailure) {
    for file in files { try createFolders(of: file.path) { folders.append($0) } }
    let drafts = try files.map { (path, text) throws(FileFailure) in
      let draft = try NewFile(path, for: purpose, mode: 0o644)
      draft.output.write(text)
      try draft.complete()
      return draft
    }
    for (draft, file) in zip(drafts, files) {
      try draft.finish()
      placed.append(file.path)
    }
  } catch {
    for path in placed { unlink(path) }
    for folder in folders.reversed() { rmdir(folder) }
    throw error
  }
}

/// Creates the folders that a file will be in, unless they exist.
///
/// - Parameters:
///   - mode: the permissions of new folders; open to all users by default.
///   - made: called for each new folder.
package func createFolders(
  of path: String, mode: mode_t = 0o755, made: (String) -> Void = { _ in }
) throws(FileFailure) {
  do throws(FolderFault) {
    try makeFolders(of: path, mode: mode) { folder, _ in made(folder) }
  } catch {
    throw FileFailure(
      path: error.path, action: .write, fault: .system(error.errno), purpose: "folder")
  }
}

/// A file in the temporary folder that only its owner can read; removed with this object.
package final class TemporaryFile: Sendable {
  package let path: String

  /// - Parameter name: the prefix of the file's name.
  package init(_ bytes: [UInt8], name: String, folder: String) throws(FileFailure) {
    let descriptor: Int32
    (path, descriptor) = try makeTemporaryFile("\(folder)/\(name)-", for: name)
    let output = Output(descriptor: descriptor, closesDescriptor: true)
    output.write(bytes)
    try output.complete(path, for: name)
  }

  deinit { unlink(path) }
}

/// Creates a file with a unique name that only its owner can read.
///
/// - Parameters:
///   - start: the prefix of its name.
///   - path: the file to name in errors; nil for this one.
private func makeTemporaryFile(
  _ start: String, for purpose: String, of path: String? = nil
) throws(FileFailure) -> (path: String, descriptor: Int32) {
  let template = "\(start)XXXXXX"
  var name = Array(template.utf8CString)
  let descriptor = mkstemp(&name)
  guard descriptor >= 0 else { throw .unwritable(path ?? template, for: purpose) }
  return (
    String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self), descriptor
  )
}

/// Replaces the contents of a file, or creates it.
///
/// - Parameter mode: the permissions of a new file; those of another stay.
package func replaceFile(
  _ path: String, with text: [UInt8], for purpose: String, mode: mode_t
) throws(FileFailure) {
  var status = stat()
  let known = stat(path, &status) == 0 ? status.st_mode & 0o777 : mode
  let file = try NewFile(path, for: purpose, mode: known)
  file.output.write(text)
  try file.finish()
}
