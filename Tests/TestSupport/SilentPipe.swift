package import APNS
import Foundation
import Testing

/// A named pipe that holds some bytes, 8 KiB at most, and is not closed before this object is gone.
package final class SilentPipe {
  package let path: String
  private let folder: KeptFolder
  private let descriptor: Int32

  package init(_ bytes: [UInt8], name: String = "pipe") throws {
    folder = try KeptFolder()
    path = folder.path(of: name)
    try #require(mkfifo(path, 0o600) == 0)
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    shrinkPipe(descriptor)
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    try #require(count == bytes.count, "a pipe does not hold so much")
  }

  /// A pipe with a row for each device token.
  package convenience init(_ tokens: [DeviceToken]) throws {
    try self.init(tokens.flatMap { Array("\($0.hex)\n".utf8) })
  }

  deinit { close(descriptor) }
}
