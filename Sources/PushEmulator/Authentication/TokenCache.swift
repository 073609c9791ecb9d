/// The most recent tokens of a connection, so a million pushes with one provider token cost only
/// one verification.
struct TokenCache {
  private static let capacity = 4
  private let verifier: ProviderTokenVerifier
  private var entries: [(header: [UInt8], result: Result<ReceivedToken, TokenFault>)] = []

  /// Creates an empty cache in front of a verifier.
  init(_ verifier: ProviderTokenVerifier) { self.verifier = verifier }

  /// Verifies the value of an `authorization` header, from the cache if possible.
  mutating func verify(
    _ header: UnsafeBufferPointer<UInt8>
  ) -> Result<ReceivedToken, TokenFault> {
    if let known = entries.first(where: { $0.header.isSame(as: header) }) { return known.result }
    let result = Result { () throws(TokenFault) in try verifier.verify(header) }
    if entries.count == Self.capacity { entries.removeFirst() }
    entries.append((Array(header), result))
    return result
  }
}
