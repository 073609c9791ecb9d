public import PushModel

/// Device tokens not to send to, as 64-bit fingerprints of 10 to 14 bytes each.
public final class SuppressedTokens: Sendable {
  private let fingerprints: FingerprintSet

  /// Reads lists to their ends. A list without rows suppresses nothing.
  ///
  /// - Parameters:
  ///   - sources: the lists, of any format.
  ///   - format: the format of standard input, and of a file whose name does not tell.
  ///   - spools: the spools that copy lists as they are read, by index in `sources`.
  ///   - report: called with each line that is not a device token and so suppresses nothing.
  /// - Throws: `ListError` when a list cannot be read.
  public init(
    _ sources: [RecipientSource], format: ListFormat = .txt, spools: [Int: Spool] = [:],
    report: @escaping @Sendable (BadLine) -> Void = { _ in }
  ) throws(ListError) {
    var reader = try RecipientReader(
      sources, format: format, selection: RecipientSelection(duplicates: .send),
      mayBeEmpty: true, spools: spools, report: report)
    var fingerprints = FingerprintSet()
    while let chunk = try reader.next() {
      for index in 0..<chunk.count {
        _ = fingerprints.insert(chunk.withToken(at: index) { $0.fingerprint })
      }
    }
    self.fingerprints = fingerprints
  }

  func contains(_ token: UnsafeBufferPointer<UInt8>) -> Bool {
    fingerprints.contains(token.fingerprint)
  }
}
