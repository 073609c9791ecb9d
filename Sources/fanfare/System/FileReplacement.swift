internal import POSIX

/// Writes a whole file that everybody may read: beside its place first, then renamed, so that
/// nobody ever sees half of it. What is no ordinary file, such as a pipe, is written into.
func replaceFile(
  _ path: String, with bytes: [UInt8], for purpose: String
) throws(FileFailure) {
  func failure(_ fault: FileFailure.Fault) -> FileFailure {
    FileFailure(path: path, action: .write, fault: fault, purpose: purpose)
  }
  var status = stat()
  let isThere = stat(path, &status) == 0
  switch status.st_mode & S_IFMT {
  case S_IFDIR where isThere: throw failure(.isFolder)
  case S_IFREG where isThere: try replaceRegular(resolved(path), bytes, failure)
  case _ where isThere:
    let code = write(bytes, to: open(path, O_WRONLY | O_CLOEXEC))
    if let code { throw failure(.system(code)) }
  default: try replaceRegular(path, bytes, failure)
  }
}

/// Makes a folder that everybody may read, unless it is there. Its parent has to be.
func createFolder(_ path: String) throws(FileFailure) {
  if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
  throw FileFailure(path: path, action: .write, fault: .system(errno), purpose: "folder")
}

private func replaceRegular(
  _ path: String, _ bytes: [UInt8], _ failure: (FileFailure.Fault) -> FileFailure
) throws(FileFailure) {
  var beside = Array("\(path).XXXXXX".utf8CString)
  let descriptor = mkstemp(&beside)
  guard descriptor >= 0 else { throw failure(.system(errno)) }
  fchmod(descriptor, 0o644)
  if let code = write(bytes, to: descriptor) ?? (rename(beside, path) == 0 ? nil : errno) {
    unlink(beside)
    throw failure(.system(code))
  }
}

/// Where a link leads, for the link itself is to stay.
func resolved(_ path: String) -> String {
  guard let target = realpath(path, nil) else { return path }
  defer { free(target) }
  return String(cString: target)
}

/// Writes everything and closes; the `errno` of what failed.
private func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  if descriptor < 0 { return errno }
  let output = Output(descriptor: descriptor, environment: [:], closesDescriptor: true)
  output.write(bytes)
  output.flush()
  return output.failure
}
