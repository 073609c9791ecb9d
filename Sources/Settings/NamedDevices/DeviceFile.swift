internal import APNS
package import JSONText
internal import POSIX
internal import PlainText
package import Reporting

/// The file that `fanfare device` writes. Nothing else does, so that no comment of the user's own
/// configuration can be lost.
package struct DeviceFile {
  let path: String

  /// - Throws: `Failure` without a home.
  package init(_ context: Context) throws(Failure) {
    guard let path = context.configuration.deviceFile else { throw .noPlaceForDevices }
    self.path = path
  }

  /// Changes the devices, and writes the file. Two commands at once do so one after the other.
  ///
  /// - Throws: `Failure` when it cannot be read or written; it is then as it was.
  package func change(_ change: (inout JSONObject) throws(Failure) -> Void) throws(Failure) {
    try attempt(try createFolders(of: path, mode: 0o700), { .file($0) })
    let lock = try attempt(try lock(), { .file($0) })
    defer { close(lock) }
    var file = try contents()
    var devices = file["devices"]?.object ?? JSONObject()
    try change(&devices)
    file["devices"] = JSON(.object(devices))
    let text = JSON(.object(file)).encoded(.pretty) + [UInt8(ascii: "\n")]
    try attempt(try write(text), { .file($0) })
  }

  /// The folder, locked until its descriptor is closed. File systems that cannot lock a folder, such
  /// as some NFS servers, are used without: the file is still replaced as a whole.
  private func lock() throws(FileFailure) -> Int32 {
    let descriptor = open(parentFolder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unwritable(path, for: "device") }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    return descriptor
  }

  /// Whether an entry is in it.
  package func has(_ entry: DeviceEntry) -> Bool {
    entry.origin.file.map { areSameFile($0, path) } ?? false
  }

  /// The whole file, in which nothing may be that would get lost.
  private func contents() throws(Failure) -> JSONObject {
    if !fileExists(path) { return JSONObject() }
    let text = try readText(path, for: "device")
    guard let json = try? JSONReader().read(text), let file = json.object,
      file["devices"].map({ $0.object != nil }) ?? true
    else { throw .deviceFileNotPlain(path) }
    return file
  }

  private func write(_ text: [UInt8]) throws(FileFailure) {
    var status = stat()
    let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o600
    let file = try NewFile(path, for: "device", mode: mode)
    file.output.write(text)
    try file.finish()
  }
}

extension Failure {
  fileprivate static var noPlaceForDevices: Failure {
    Failure(
      "There is no place for names of devices: neither XDG_CONFIG_HOME nor HOME is set.",
      fix: "Set HOME to your home folder.", rule: "device")
  }

  /// Writing it again would lose comments, or what is no JSON.
  fileprivate static func deviceFileNotPlain(_ path: String) -> Failure {
    Failure(
      "\(path.printable) is not plain JSON; writing it would lose comments and more.",
      fix: "Change the device in the file yourself, or remove the comments.", rule: "device")
  }
}
