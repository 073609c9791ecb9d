internal import POSIX
internal import Reporting
internal import WebServer

/// A folder that is held open, so that it stays the same whatever becomes of its path.
final class HeldFolder: Sendable {
  fileprivate let descriptor: Int32

  /// Opens a folder; in one that cannot be opened nothing is found.
  ///
  /// - Parameters:
  ///   - name: its path, or its name in another one. A link is not followed.
  ///   - parent: the folder that the name counts from; nil for the working folder.
  init(_ name: String, in parent: HeldFolder? = nil) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    descriptor = openat(parent?.descriptor ?? AT_FDCWD, name, flags)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// A file, which need not exist yet, by its name in a folder that is held open. No link is followed
/// on the way to it, nor behind its name.
struct HeldFile {
  private let folder: HeldFolder
  private let name: String
  /// The path, for errors.
  private let path: String

  /// - Parameters:
  ///   - path: the path below a folder.
  ///   - mode: the permissions of folders that are made on the way; nil makes none.
  init(_ path: String, below root: HeldFolder, making mode: mode_t? = nil) throws(HTTPRefusal) {
    var names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    (self.path, name) = (path, names.popLast() ?? "")
    var folder = root
    for name in names {
      if let mode { mkdirat(folder.descriptor, name, mode) }
      let next = HeldFolder(name, in: folder)
      if next.descriptor < 0 { throw Self.refusal(path, .read, errno) }
      folder = next
    }
    self.folder = folder
  }

  /// What has the name now; nil for nothing.
  private var status: stat? {
    var status = stat()
    let isThere = fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    return isThere ? status : nil
  }

  /// The state of the file; nil if there is none, or something else has its name.
  var state: FileState? { status.flatMap { $0.isPlainFile ? FileState($0) : nil } }

  func read(limit: Int) throws(HTTPRefusal) -> [UInt8] {
    guard let status else { throw .missing }
    if !status.isPlainFile { throw .outside }
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    do throws(FileFailure) {
      let file = openat(folder.descriptor, name, flags)
      return try readFile(file, at: path, for: "project", limit: limit)
    } catch {
      throw .failed(error)
    }
  }

  /// Writes the file as a whole. It keeps its mode and owner; one that is read-only stays as it is.
  ///
  /// - Parameter model: a file whose mode and owner a new one gets.
  func replace(with bytes: [UInt8], like model: stat? = nil) throws(HTTPRefusal) {
    let old = status
    if let old, !old.isPlainFile { throw .outside }
    let isLocked = old.map { $0.st_mode & 0o222 == 0 } ?? false
    if isLocked || old != nil && faccessat(folder.descriptor, name, W_OK, 0) != 0 {
      throw refusal(EACCES)
    }
    let beside = "\(name).\(String(UInt32.random(in: .min ... .max), radix: 16))"
    defer { unlinkat(folder.descriptor, beside, 0) }
    try write(bytes, like: old ?? model, to: beside)
    if !rename(beside, to: self) { throw refusal(errno) }
  }

  private func write(
    _ bytes: [UInt8], like model: stat?, to name: String
  ) throws(HTTPRefusal) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = openat(folder.descriptor, name, flags, 0o600)
    guard file >= 0 else { throw refusal(errno) }
    let output = Output(descriptor: file, closesDescriptor: true)
    let isKept = model.map { fchown(file, $0.st_uid, $0.st_gid) == 0 } ?? true
    // After the owner: a change of that takes bits of the mode away.
    guard isKept, fchmod(file, (model?.st_mode ?? 0o644) & 0o7777) == 0 else {
      throw refusal(errno)
    }
    output.write(bytes)
    do throws(FileFailure) {
      try output.complete(path, for: "project")
    } catch {
      throw .failed(error)
    }
  }

  /// Moves the file, also to another file system.
  ///
  /// - Throws: `HTTPRefusal`, also if something has the other name already.
  func move(to other: HeldFile) throws(HTTPRefusal) {
    if other.status != nil {
      throw HTTPRefusal(
        HTTPRefusal.conflict, "There is a file \(other.path) already.",
        fix: "Give one of them another name.")
    }
    if rename(name, to: other) { return }
    guard errno == EXDEV else { throw other.refusal(errno) }
    try other.replace(with: read(limit: .max - 1), like: status)
    unlinkat(folder.descriptor, name, 0)
  }

  private func rename(_ name: String, to other: HeldFile) -> Bool {
    renameat(folder.descriptor, name, other.folder.descriptor, other.name) == 0
  }

  private func refusal(_ code: Int32) -> HTTPRefusal { Self.refusal(path, .write, code) }

  private static func refusal(
    _ path: String, _ action: FileFailure.Action, _ code: Int32
  ) -> HTTPRefusal {
    let fault = code == ENOENT ? FileFailure.Fault.missing : .system(code)
    return .failed(FileFailure(path: path, action: action, fault: fault, purpose: "project"))
  }
}

extension stat {
  fileprivate var isPlainFile: Bool { st_mode & S_IFMT == S_IFREG }
}
