internal import POSIX

/// A file in the system's temporary folder that only its owner can read; gone with this object.
final class TemporaryFile: Sendable {
  let path: String

  /// - Parameter name: how the file's name begins.
  init(_ bytes: [UInt8], name: String, folder: String) throws(FileFailure) {
    var template = Array("\(folder)/\(name)-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else {
      throw FileFailure(path: path, action: .write, fault: .system(errno), purpose: name)
    }
    self.path = path
    let output = Output(descriptor: descriptor, environment: [:], closesDescriptor: true)
    output.write(bytes)
    output.flush()
    if let code = output.failure {
      throw FileFailure(path: path, action: .write, fault: .system(code), purpose: name)
    }
  }

  deinit { unlink(path) }
}
