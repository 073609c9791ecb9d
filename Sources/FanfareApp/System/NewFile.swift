internal import POSIX

/// A file that is being written: beside its place until it is whole, so that nobody ever sees half of
/// it. What is no ordinary file, such as a pipe, is written into.
final class NewFile {
  private let path: String
  private let purpose: String
  /// Where it is written; nil when that is its place.
  let beside: String?
  private let place: String

  /// What is written here is in the file.
  let output: Output

  /// Begins a file, so that a path that cannot be written is found before the work.
  ///
  /// - Parameter mode: who may read it; its owner alone unless it says otherwise.
  init(_ path: String, for purpose: String, mode: mode_t = 0o600) throws(FileFailure) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    let isPlain = !isThere || status.st_mode & S_IFMT == S_IFREG
    if isThere, status.st_mode & S_IFMT == S_IFDIR {
      throw FileFailure(path: path, action: .write, fault: .isFolder, purpose: purpose)
    }
    place = isThere && isPlain ? resolved(path) : path
    var name = Array("\(place).XXXXXX".utf8CString)
    let descriptor = isPlain ? mkstemp(&name) : open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FileFailure(path: path, action: .write, fault: .system(errno), purpose: purpose)
    }
    if isPlain { fchmod(descriptor, mode) }
    beside =
      isPlain ? String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    self.path = path
    self.purpose = purpose
    output = Output(descriptor: descriptor, environment: [:], closesDescriptor: true)
  }

  deinit { if let beside { unlink(beside) } }

  /// Sees that all of it is written.
  func complete() throws(FileFailure) {
    output.flush()
    try refuse(output.failure)
  }

  /// Puts the file into its place.
  func finish() throws(FileFailure) {
    try complete()
    try refuse(beside.flatMap { rename($0, place) == 0 ? nil : errno })
  }

  private func refuse(_ code: Int32?) throws(FileFailure) {
    guard let code else { return }
    throw FileFailure(path: path, action: .write, fault: .system(code), purpose: purpose)
  }
}

/// Removes a file, if it is there.
func removeFile(_ path: String) { unlink(path) }
