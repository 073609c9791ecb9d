package import Credentials

extension SecretBytes {
  /// What need not be secret in a test.
  package convenience init(bytes: [UInt8]) {
    self.init(capacity: bytes.count) { buffer in
      buffer.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// A copy.
  package var array: [UInt8] { withBytes { Array($0) } }
}
