import PushCore

extension SecretBytes {
  /// What need not be secret in a test.
  convenience init(bytes: [UInt8]) {
    self.init(capacity: bytes.count) { buffer in
      buffer.copyBytes(from: bytes)
      return bytes.count
    }
  }

  /// A copy.
  var array: [UInt8] { withBytes { Array($0) } }
}
