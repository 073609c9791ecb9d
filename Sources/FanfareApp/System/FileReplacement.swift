internal import POSIX

/// Writes a whole file that everybody may read.
func replaceFile(
  _ path: String, with bytes: [UInt8], for purpose: String
) throws(FileFailure) {
  let file = try NewFile(path, for: purpose, mode: 0o644)
  file.output.write(bytes)
  try file.finish()
}

/// Makes a folder that everybody may read, unless it is there. Its parent has to be.
func createFolder(_ path: String) throws(FileFailure) {
  if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
  throw FileFailure(path: path, action: .write, fault: .system(errno), purpose: "folder")
}

/// Where a link leads, for the link itself is to stay.
func resolved(_ path: String) -> String {
  guard let target = realpath(path, nil) else { return path }
  defer { free(target) }
  return String(cString: target)
}
