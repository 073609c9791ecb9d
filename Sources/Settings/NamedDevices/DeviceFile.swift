internal import APNS
package import JSONText
internal import POSIX
internal import PlainText
package import Reporting

/// The file of `fanfare device`. The command writes no other file, so that comments in the user's
/// own configuration cannot be lost.
package struct DeviceFile {
  let path: String

  /// - Throws: `Failure` without a home folder.
  package init(_ context: Context) throws(Failure) {
    guard let path = context.configuration.deviceFile else { throw .noPlaceForDevices }
    self.path = path
  }

  /// Changes the devices and writes the file. Concurrent commands take turns.
  ///
  /// - Throws: `Failure` when the file cannot be read or written; it is then unchanged.
  package func change(_ change: (inout JSONObject) throws(Failure) -> Void) throws(Failure) {
    try attempt(try createFolders(of: path, mode: 0o700), { .file($0) })
    let lock = try attempt(try lock(), { .file($0) })
    defer { close(lock) }
    var file = try contents()
    var devices = file["devices"]?.object ?? JSONObject()
    try change(&devices)
    file["devices"] = JSON(.object(devices))
    let text = JSON(.object(file)).encoded(.pretty) + [UInt8(ascii: "\n")]
    try attempt(try replaceFile(path, with: text, for: "device", mode: 0o600)) { .file($0) }
  }

  /// Locks the folder until the descriptor is closed. Where folders cannot be locked, as on some
  /// NFS servers, it does without: the file is still replaced as a whole.
  private func lock() throws(FileFailure) -> Int32 {
    let descriptor = open(parentFolder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unwritable(path, for: "device") }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return descriptor
  }

  /// True if an entry is in this file.
  package func has(_ entry: DeviceEntry) -> Bool {
    entry.origin.file.map { areSameFile($0, path) } ?? false
  }

  /// Reads the whole file, and rejects contents that rewriting would lose.
  private func contents() throws(Failure) -> JSONObject {
    if !fileExists(path) { return JSONObject() }
    let text = try readText(path, for: "device")
    guard let json = try? JSONReader().read(text), let file = json.object,
      file["devices"].map({ $0.object != nil }) ?? true
    else { throw .deviceFileNotPlain(path) }
    return file
  }
}

extension Failure {
  fileprivate static var noPlaceForDevices: Failure {
    Failure(
      "There is no place for names of devices: neither XDG_CONFIG_HOME nor HOME is set.",
      fix: "Set HOME to your home folder.", rule: "device")
  }

  /// Rewriting the file would lose comments, or syntax that is not JSON.
  fileprivate static func deviceFileNotPlain(_ path: String) -> Failure {
    Failure(
      "\(path.printable) is not plain JSON; writing it would lose comments and more.",
      fix: "Change the device in the file yourself, or remove the comments.", rule: "device")
  }
}
